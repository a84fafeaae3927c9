import type { IncomingMessage } from 'node:http'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { DomainError, notFound } from '../domain/errors.ts'
import type { Ports } from '../ports.ts'
import type { Worlds } from '../ports/worlds.ts'
import { isVendorTraffic } from '#contract/control/vendor-traffic.ts'
import { BASE_PATH, withoutBasePath } from '#contract/documents/base-path.ts'
import { DEFAULT_WORLD } from '#contract/records/control/world.ts'
import { headTooLarge, isHeadTooLarge } from './connection/connections.ts'
import { isPreflight } from './cors.ts'
import { countHeader } from './input/headers.ts'

declare module 'node:http' {
  interface IncomingMessage {
    worldName?: string
    /** Authority of a request target in absolute form, such as `http://host/path`. */
    authority?: string
    hasBasePath?: boolean
  }
}

/** RFC 9112, section 3.2.2: a client that uses a proxy sends the target in absolute form. */
const ORIGIN = /^https?:\/\/([^/?]*)(?=\/)/i

/** Removes authority, world prefix and base path. Decodes nothing, so an encoded world name is unknown. */
export function stripPrefixes(request: IncomingMessage): string {
  let url = request.url ?? '/'
  const absolute = url.startsWith('/') ? null : ORIGIN.exec(url)
  if (absolute) {
    request.authority = absolute[1]!
    url = url.slice(absolute[0].length)
  }
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

/** Restores the base path of document 1 if the client sent it. The world prefix is not restored. */
export function sentAddress({ url, raw }: Pick<FastifyRequest, 'url' | 'raw'>): string {
  return raw.hasBasePath ? BASE_PATH + url : url
}

/** Prefix of all paths of a world, without a trailing slash. */
export function prefixOf(world: string): string {
  return world === DEFAULT_WORLD ? '' : `/w/${world}`
}

/** The path takes precedence over the `X-World` header. */
export function worldNameOf({ worldName, headers }: IncomingMessage): string {
  const name = worldName ?? headers['x-world']
  return typeof name === 'string' && name !== '' ? name : DEFAULT_WORLD
}

const malformed = (message: string) => new DomainError('malformed', message, { source: 'our choice: further-statuses' })

/**
 * Rejects an unknown world, an unsupported HTTP version or `Expect`, a head that is too large, and a missing or
 * repeated `Host`. An unknown world gets the ports of the default world.
 */
export function enterWorld(
  worlds: Worlds,
  toPorts: (request: FastifyRequest, ports: Ports) => Ports,
): onRequestHookHandler {
  return (request, reply, done) => {
    const name = worldNameOf(request.raw)
    const known = worlds.find(name)
    const protocolError = findProtocolError(request)
    const reject = (error: Error) => {
      request.ports = known ?? worlds.find(DEFAULT_WORLD)!
      if (protocolError?.code === 'headers-too-large') reply.raw.shouldKeepAlive = false
      // A preflight always succeeds. A page can read an error only in the response to the request that follows.
      if (isPreflight(request, reply)) done()
      else done(error)
    }
    const enter = (ports: Ports) => {
      request.ports = toPorts(request, ports)
      done()
    }
    if (protocolError) reject(protocolError)
    else if (known) enter(known)
    else worlds.look(name).then((found) => (found ? enter(found) : reject(noSuchWorld(name))), reject)
  }
}

/** Matches `100-continue`, the only value of `Expect` that the server supports. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i

function findProtocolError(request: FastifyRequest): DomainError | undefined {
  const { httpVersion, httpVersionMajor, headers } = request.raw
  if (isHeadTooLarge(request.raw)) return headTooLarge()
  const hosts = countHeader(request, 'host')
  if (httpVersionMajor !== 1) return malformed('only HTTP/1.0 and HTTP/1.1 are supported')
  if (httpVersion === '1.1' && hosts === 0) return malformed('the Host header is missing')
  if (hosts > 1) return malformed('the Host header is given more than once')
  if (headers.expect === undefined || httpVersion === '1.0' || CONTINUE.test(headers.expect)) return undefined
  return new DomainError('expectation-failed', 'the Expect header must be 100-continue', {
    source: 'our choice: further-statuses',
  })
}

function noSuchWorld(name: string): DomainError {
  const hint = 'GET /_control/worlds lists them, POST creates one'
  return notFound(`world ${name.slice(0, 64)} does not exist`, 'our choice: world-names', hint)
}

/** The profile determines whether document 1 is available with the base path, without it, or both. */
export const applyChosenForms: onRequestHookHandler = ({ ports: { world }, url, raw }, _, done) => {
  if (!world.profile || !isVendorTraffic(url)) return done()
  const { 'base-path': base } = world.choices
  const given = raw.hasBasePath ? 'with' : 'without'
  if (base !== 'both' && base !== given && url.startsWith('/stg/us/')) {
    const [path] = url.split('?', 1)
    const nearest = base === 'with' ? `${BASE_PATH}${path}` : path
    throw notFound(`this path is unknown; the nearest path is ${nearest}`, 'our choice: base-path')
  }
  done()
}

export type Addressed = Pick<FastifyRequest, 'ports' | 'protocol' | 'host' | 'raw'>

/** The start of links: PUBLIC_URL, or the requested address (HTTP/1.0: the socket) and the prefix of the world. */
export function baseUrl(request: Addressed): string {
  const { name, publicUrl } = request.ports.world
  return (publicUrl ?? `${protocolOf(request)}://${hostOf(request)}`) + prefixOf(name)
}

/** Behind a proxy, the protocol is in a header that the sender controls, so only `http` and `https` are accepted. */
function protocolOf({ protocol, raw }: Addressed): string {
  if (protocol === 'http' || protocol === 'https') return protocol
  return 'encrypted' in raw.socket ? 'https' : 'http'
}

/** The host comes from the client, so it is checked. Names of Compose services may contain underscores. */
function hostOf({ host, raw }: Addressed): string {
  if (/^[\w.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/.test(host ?? '')) return host
  const { localAddress = 'localhost', localPort = 80 } = raw.socket
  return localAddress.includes(':') ? `[${localAddress}]:${localPort}` : `${localAddress}:${localPort}`
}
