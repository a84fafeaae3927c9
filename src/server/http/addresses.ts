import type { IncomingMessage } from 'node:http'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { DomainError, notFound } from '../domain/errors.ts'
import type { Ports } from '../ports.ts'
import type { Worlds } from '../ports/worlds.ts'
import { BASE_PATH, withoutBasePath } from '../../contract/documents/base-path.ts'
import { DEFAULT_WORLD } from '../../contract/records/control/world.ts'
import { countHeader } from './input/headers.ts'

declare module 'node:http' {
  interface IncomingMessage {
    worldName?: string
    /** Document 1's base path was taken off the address. */
    hasBasePath?: boolean
  }
}

/** Of an address in absolute form (RFC 9112, section 3.2.2), as clients behind a proxy write it. */
const ORIGIN = /^https?:\/\/[^/?]*(?=\/)/i

/**
 * Takes the world's prefix `/w/{name}` and document 1's base path off an address before it is routed, so that the
 * documents' rooms know of neither. It sees raw text: a name that is encoded is no world's.
 */
export function stripPrefixes(request: IncomingMessage): string {
  let url = (request.url ?? '/').replace(ORIGIN, '')
  const world = url.startsWith('/w/') && /^\/w\/([^/?]+)/.exec(url)
  if (world) {
    request.worldName = world[1]!
    url = url.slice(world[0].length)
    if (!url.startsWith('/')) url = `/${url}`
  }
  const bare = withoutBasePath(url)
  if (bare !== url) request.hasBasePath = true
  return bare
}

/** The address as it was sent, with document 1's base path where it had that; the world's prefix aside. */
export function sentAddress({ url, raw }: Pick<FastifyRequest, 'url' | 'raw'>): string {
  return raw.hasBasePath ? BASE_PATH + url : url
}

/** Begin of the paths of a world, without a slash at the end. */
export function prefixOf(world: string): string {
  return world === DEFAULT_WORLD ? '' : `/w/${world}`
}

/** The world that a request names by its path or its header; the default one without either. */
export function worldNameOf({ worldName, headers }: IncomingMessage): string {
  const name = worldName ?? headers['x-world']
  return typeof name === 'string' && name !== '' ? name : DEFAULT_WORLD
}

const ours = { source: 'our choice: further-statuses' } as const

/** Gives the request the ports of its world; refuses one whose world, protocol or Host is not to be known. */
export function enterWorld(worlds: Worlds): onRequestHookHandler {
  return (request, _reply, done) => {
    const name = worldNameOf(request.raw)
    const ports = worlds.find(name)
    // A refusal too needs a world to be answered in.
    request.ports = ports ?? worlds.find(DEFAULT_WORLD)!
    if (request.raw.httpVersionMajor !== 1)
      throw new DomainError('malformed', 'only HTTP/1.0 and HTTP/1.1 are taken', ours)
    if (countHeader(request, 'host') > 1)
      throw new DomainError('malformed', 'the Host header is given more than once', ours)
    if (ports) return enter(request, ports, done)
    worlds.look(name).then((found) => {
      if (!found)
        return done(
          notFound(
            `no world is named ${name.slice(0, 64)}; GET /_control/worlds lists them, POST makes one`,
            'our choice: world-names',
          ),
        )
      return enter(request, found, done)
    }, done)
  }
}

function enter(request: FastifyRequest, ports: Ports, done: () => void): void {
  request.ports = ports
  request.notes.place = ports.journal.places.next()
  done()
}

export type Addressed = Pick<FastifyRequest, 'ports' | 'protocol' | 'host' | 'raw'>

/**
 * Where links that we hand out begin: PUBLIC_URL when set, else the address the request came to, with the prefix of
 * its world. Without a Host header (HTTP/1.0) it is the socket's own address.
 */
export function baseUrl(request: Addressed): string {
  const { name, publicUrl } = request.ports.world
  return (publicUrl ?? `${protocolOf(request)}://${hostOf(request)}`) + prefixOf(name)
}

/** Behind a proxy it is the sender's text: one that is neither of the two counts for nothing. */
function protocolOf({ protocol, raw }: Addressed): string {
  if (protocol === 'http' || protocol === 'https') return protocol
  return 'encrypted' in raw.socket ? 'https' : 'http'
}

/** The sender's text: only what can stand in a URL is taken. */
function hostOf({ host, raw }: Addressed): string {
  if (/^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/.test(host ?? '')) return host
  const { localAddress = 'localhost', localPort = 80 } = raw.socket
  return localAddress.includes(':') ? `[${localAddress}]:${localPort}` : `${localAddress}:${localPort}`
}
