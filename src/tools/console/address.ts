import { createWorldClient } from '../control-client/world-client.ts'

/** The page's address says which world it shows: `/_console` or `/w/{name}/_console`, also below a proxy's prefix. */
const base = location.pathname.replace(/\/_console\/?$/, '')
const [, root = '', named] = /^(.*?)(?:\/w\/([a-z0-9-]{1,64}))?$/.exec(base) ?? []

const KEY = 'vendor-cloud control key'
const DEFAULT_WORLD = 'default'

// The key comes in the fragment of the printed link, which no server sees; it stays for as long as the tab does.
const [, given] = /^#key=([^&]+)/.exec(location.hash) ?? []
if (given !== undefined) {
  saveKey(decode(given))
  history.replaceState(null, '', location.pathname)
}
// In a tab that shows the page already it changes the fragment alone.
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#key=')) location.reload()
})

/** Of the control API; none where it needs none. */
export const key = sessionStorage.getItem(KEY) ?? undefined
export const world = named ?? DEFAULT_WORLD
export const api = createWorldClient(location.origin + root, {
  world: named,
  key,
  // A deletion as the page is left is carried out all the same.
  fetch: (target, init) => fetch(target, init?.method === 'DELETE' ? { ...init, keepalive: true } : init),
})

/** For the page when it is loaded again. */
export function saveKey(text: string): void {
  sessionStorage.setItem(KEY, text)
}

/** A typed address may hold a percent sign that encodes nothing. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function consoleOf(name: string): string {
  return `${root}${name === DEFAULT_WORLD ? '' : `/w/${name}`}/_console`
}
