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
    /** Set for a target in absolute form. */
    authority?: string
    hasBasePath?: boolean
  }
}

/** RFC 9112, section 3.2.2: clients behind a proxy send the address in absolute form. */
const ORIGIN = /^https?:\/\/([^/?]*)(?=\/)/i

/**
 * Document plugins never see the world prefix or the base path of document 1. The text is raw, so an encoded name does
 * not match a world.
 */
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

/** The base path of document 1 is kept where it was sent; the world's prefix is not. */
export function sentAddress({ url, raw }: Pick<FastifyRequest, 'url' | 'raw'>): string {
  return raw.hasBasePath ? BASE_PATH + url : url
}

/** Paths of a world begin so, without a slash at the end. */
export function prefixOf(world: string): string {
  return world === DEFAULT_WORLD ? '' : `/w/${world}`
}

/** The path counts before the header; without both it is the default world. */
export function worldNameOf({ worldName, headers }: IncomingMessage): string {
  const name = worldName ?? headers['x-world']
  return typeof name === 'string' && name !== '' ? name : DEFAULT_WORLD
}

const malformed = (message: string) => new DomainError('malformed', message, { source: 'our choice: further-statuses' })

/**
 * Rejects an unknown world, protocol or expectation, a head that is too large, and a Host that is missing or repeated.
 * A rejected request gets the ports of the default world where its own is unknown. `toPorts` returns the ports with
 * which a request works.
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
      // The page reads the error of the request itself.
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

/** Node sends 100 for these itself. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i

function findProtocolError(request: FastifyRequest): DomainError | undefined {
  const { httpVersion, httpVersionMajor, headers } = request.raw
  if (isHeadTooLarge(request.raw)) return headTooLarge()
  const hosts = countHeader(request, 'host')
  if (httpVersionMajor !== 1) return malformed('only HTTP/1.0 and HTTP/1.1 are supported')
  if (httpVersion === '1.1' && hosts === 0) return malformed('the Host header is missing')
  if (hosts > 1) return malformed('the Host header is given more than once')
  if (headers.expect === undefined || httpVersion === '1.0' || CONTINUE.test(headers.expect)) return undefined
  return new DomainError('expectation-failed', 'the header Expect may only be 100-continue', {
    source: 'our choice: further-statuses',
  })
}

function noSuchWorld(name: string): DomainError {
  const hint = 'GET /_control/worlds lists them, POST creates one'
  return notFound(`world ${name.slice(0, 64)} does not exist`, 'our choice: world-names', hint)
}

/** A world's profile chooses which paths are document 1's. */
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

/**
 * Where links that we hand out begin: PUBLIC_URL when set, else the address the request came to, with the prefix of
 * its world. Without a Host header (HTTP/1.0) it is the socket's own address.
 */
export function baseUrl(request: Addressed): string {
  const { name, publicUrl } = request.ports.world
  return (publicUrl ?? `${protocolOf(request)}://${hostOf(request)}`) + prefixOf(name)
}

/** Behind a proxy this is the sender's text, so only the two protocols count. */
function protocolOf({ protocol, raw }: Addressed): string {
  if (protocol === 'http' || protocol === 'https') return protocol
  return 'encrypted' in raw.socket ? 'https' : 'http'
}

/** Sender input, so only characters that are valid in a URL are accepted. Compose services may have underscores. */
function hostOf({ host, raw }: Addressed): string {
  if (/^[\w.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/.test(host ?? '')) return host
  const { localAddress = 'localhost', localPort = 80 } = raw.socket
  return localAddress.includes(':') ? `[${localAddress}]:${localPort}` : `${localAddress}:${localPort}`
}
