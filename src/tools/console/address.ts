import { createWorldClient } from '../client/world-client.ts'
import { decodePercent } from '#contract/records/decoded-text.ts'

/** The URL contains the world's name, as in `/_console` or `/w/{name}/_console`. A proxy may add a prefix. */
const base = location.pathname.replace(/\/_console\/?$/, '')
const [, root = '', named] = /^(.*?)(?:\/w\/([a-z0-9-]{1,64}))?$/.exec(base) ?? []

const KEY = 'vendor-cloud control key'
const DEFAULT_WORLD = 'default'

// The key is in the URL fragment, which browsers do not send to servers. The key is kept only in this tab.
const [, given] = /^#key=([^&]+)/.exec(location.hash) ?? []
if (given !== undefined) {
  saveKey(decodePercent(given))
  history.replaceState(null, '', location.pathname)
}
// If the tab already shows this page, following the link changes only the fragment and does not reload the page.
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#key=')) location.reload()
})

export const key = sessionStorage.getItem(KEY) ?? undefined
export const world = named ?? DEFAULT_WORLD
export const api = createWorldClient(location.origin + root, {
  world: named,
  key,
  // With `keepalive`, a deletion is completed even if the user leaves the page.
  fetch: (target, init) => fetch(target, init?.method === 'DELETE' ? { ...init, keepalive: true } : init),
})

export function saveKey(text: string): void {
  sessionStorage.setItem(KEY, text)
}

export function consoleOf(name: string): string {
  return `${root}${name === DEFAULT_WORLD ? '' : `/w/${name}`}/_console`
}
