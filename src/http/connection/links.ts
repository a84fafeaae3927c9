import type { FastifyRequest } from 'fastify'
import { prefixOf } from '../world-path.ts'

/** What the address of a request is known by. */
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
