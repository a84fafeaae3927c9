/** The page's address says which world it shows: `/_console` or `/w/{name}/_console`, also below a proxy's prefix. */
const base = location.pathname.replace(/\/_console\/?$/, '')
const [, root = '', named] = /^(.*?)(?:\/w\/([a-z0-9-]{1,64}))?$/.exec(base) ?? []

const KEY = 'vendor-cloud control key'
const DEFAULT_WORLD = 'default'

export const world = named ?? DEFAULT_WORLD

/** The address of a path in the world that is shown. */
export function toUrl(path: string): string {
  return base + path
}

/** The console's own address in a world. */
export function consoleOf(name: string): string {
  return `${root}${name === DEFAULT_WORLD ? '' : `/w/${name}`}/_console`
}

/** The address of a path in the world that is shown, for use outside this page. */
export function toAbsoluteUrl(path: string): string {
  return location.origin + toUrl(path)
}

/** The key comes in the fragment of the printed link, which no server sees; it stays for as long as the tab does. */
export function takeKey(): void {
  const given = /^#key=([^&]+)/.exec(location.hash)?.[1]
  if (!given) return
  saveKey(decodeURIComponent(given))
  history.replaceState(null, '', location.pathname)
}

export function saveKey(key: string): void {
  sessionStorage.setItem(KEY, key)
}

export function hasKey(): boolean {
  return sessionStorage.getItem(KEY) !== null
}

export function keyHeader(): Record<string, string> {
  const key = sessionStorage.getItem(KEY)
  return key === null ? {} : { 'x-control-key': key }
}
