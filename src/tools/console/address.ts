import { createWorldClient } from '../client/world-client.ts'
import { decodePercent } from '#contract/records/decoded-text.ts'

/** The page's address names its world: `/_console` or `/w/{name}/_console`, also behind a proxy's prefix. */
const base = location.pathname.replace(/\/_console\/?$/, '')
const [, root = '', named] = /^(.*?)(?:\/w\/([a-z0-9-]{1,64}))?$/.exec(base) ?? []

const KEY = 'vendor-cloud control key'
const DEFAULT_WORLD = 'default'

// The key comes in the fragment, which no server sees, and lives as long as the tab.
const [, given] = /^#key=([^&]+)/.exec(location.hash) ?? []
if (given !== undefined) {
  saveKey(decodePercent(given))
  history.replaceState(null, '', location.pathname)
}
// In a tab that already shows the page the link changes only the fragment.
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#key=')) location.reload()
})

export const key = sessionStorage.getItem(KEY) ?? undefined
export const world = named ?? DEFAULT_WORLD
export const api = createWorldClient(location.origin + root, {
  world: named,
  key,
  // A deletion is still carried out when the page is left.
  fetch: (target, init) => fetch(target, init?.method === 'DELETE' ? { ...init, keepalive: true } : init),
})

export function saveKey(text: string): void {
  sessionStorage.setItem(KEY, text)
}

export function consoleOf(name: string): string {
  return `${root}${name === DEFAULT_WORLD ? '' : `/w/${name}`}/_console`
}
