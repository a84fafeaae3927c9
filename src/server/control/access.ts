import type { FastifyRequest } from 'fastify'
import { DomainError } from '../domain/errors.ts'
import type { Digests } from '../ports/chance.ts'

export interface ControlAccess {
  /** If a key is configured, all callers must send it. */
  key?: string
  /** True if the server listens on loopback or has the setting `CONTROL=open`. */
  open: boolean
}

/** If no key is configured, rejects pages of other sites, DNS rebinding and proxied requests. */
export function assertControlAccess(request: FastifyRequest, { key, open }: ControlAccess): undefined {
  if (key === undefined && open) assertOwnMachine(request)
  else if (key === undefined || !hasKey(request, key, request.ports.digests)) {
    throw new DomainError('unauthenticated', `${describeKey(request)}. ${WHERE_THE_KEY_IS}`, ours)
  }
}

const ours = { source: 'our choice: control-access' } as const

function describeKey({ headers }: FastifyRequest): string {
  const isBearer = !headers['x-control-key']
  return isBearer && BEARER.exec(headers.authorization ?? '') === null
    ? 'the control API requires a key in x-control-key or Authorization: Bearer'
    : `the key in ${isBearer ? 'Authorization: Bearer' : 'x-control-key'} is not the key of this server`
}

const WHERE_THE_KEY_IS =
  'Use the value of CONTROL_KEY or, if it is not set, the key that the server printed at start. To disable the key, ' +
  'start the server without CONTROL_KEY and with CONTROL=open'

const BEARER = /^Bearer (\S+)$/i

function assertOwnMachine({ headers, protocol, raw: { authority } }: FastifyRequest): void {
  const host = headers.host ?? ''
  // RFC 9112, section 3.2.2: the authority in the request target takes precedence over `Host`.
  if (!LOOPBACK.test(host) || !LOOPBACK.test(authority ?? host)) {
    throw notOwn(`the host ${(authority ?? host).slice(0, 100)} is not a loopback address`)
  }
  const { origin } = headers
  if (origin !== undefined && origin !== `${protocol}://${host}`) {
    throw notOwn(`the request comes from another origin, ${origin.slice(0, 100)}`)
  }
  for (const name in headers)
    if (OF_PROXIES.test(name.replaceAll('_', '-')))
      throw notOwn(`the header ${name} shows that a proxy sent the request`)
  if (/cross-site/i.test(String(headers['sec-fetch-site'])))
    throw notOwn('the header sec-fetch-site shows that the request came from another site')
}

const LOOPBACK = /^(?:localhost|127(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}|\[::1\])(?::\d+)?$/i
/** Includes prefixes of `Client-IP` such as `X-`, `True-`, `Fastly-` and `WL-Proxy-`. */
const OF_PROXIES =
  /^(?:(?:x-)?(?:original-)?forwarded(?:-.*)?|x-real-?ip|via|cdn-loop|x-envoy-.*|(?:[a-z]+-)*(?:client|connecting)-ip)$/

function notOwn(reason: string): DomainError {
  const message = `without a key, only local requests are accepted, and ${reason}. Set CONTROL_KEY and send it`
  return new DomainError('forbidden', `${message} as x-control-key`, ours)
}

function hasKey({ headers }: FastifyRequest, key: string, digests: Digests): boolean {
  const given = headers['x-control-key'] ?? BEARER.exec(headers.authorization ?? '')?.[1]
  return typeof given === 'string' && digests.equal(digests.sha256(given), digests.sha256(key))
}
