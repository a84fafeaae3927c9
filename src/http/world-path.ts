import type { IncomingMessage } from 'node:http'
import { DEFAULT_WORLD } from '../ports.ts'

declare module 'node:http' {
  interface IncomingMessage {
    /** The world whose prefix was taken off the address. */
    worldName?: string
  }
}

/** Document 1's declared base path: whether it stands before the paths is not shown, so both answer. */
const BASE_PATH = '/support-api/stg'

/**
 * Takes the world's prefix `/w/{name}` and document 1's base path off an address before it is routed, so that the
 * documents' rooms know of neither. It sees raw text: only plain names count.
 */
export function stripPrefixes(request: IncomingMessage): string {
  let url = request.url ?? '/'
  const world = url.startsWith('/w/') && /^\/w\/([a-z0-9-]{1,64})(?=[/?]|$)/.exec(url)
  if (world) {
    request.worldName = world[1]!
    url = url.slice(world[0].length)
    if (!url.startsWith('/')) url = `/${url}`
  }
  return url.startsWith(`${BASE_PATH}/stg/us/`) ? url.slice(BASE_PATH.length) : url
}

export function worldPrefixOf(request: IncomingMessage): string | undefined {
  return request.worldName === undefined ? undefined : `/w/${request.worldName}`
}

/** The world that a request names by its path or its header; the default one without either. */
export function worldNameOf({ worldName, headers }: IncomingMessage): string {
  const name = worldName ?? headers['x-world']
  return typeof name === 'string' && name !== '' ? name : DEFAULT_WORLD
}

/** What people do to steer and watch is no traffic of the vendor's: it is neither journaled nor made to fail. */
export function isVendorTraffic(url: string): boolean {
  return !/^\/(?:$|\?|(?:_control|_console|health|metrics|docs|openapi|favicon\.ico)(?:[/?]|$))/.test(url)
}
