import type { FastifyRequest } from 'fastify'
import { DomainError } from '../domain/errors.ts'
import type { Digests } from '../ports.ts'

export interface ControlAccess {
  /** Needed unless the server listens on loopback only. */
  key?: string
  /** Whether the server listens on loopback: then its own machine steers it without a key. */
  loopback: boolean
}

/**
 * Another web site's page must not steer the server, nor may a name that was rebound to loopback: without a key the
 * request's Host must be loopback and its Origin, if any, the server's own.
 */
export function assertControlAccess(request: FastifyRequest, { key, loopback }: ControlAccess): void {
  if (loopback) assertOwnMachine(request)
  else if (!key || !hasKey(request, key, request.ports.digests)) {
    const message = 'the control API needs its key here: x-control-key, or Authorization: Bearer'
    throw new DomainError('forbidden', message, { source: 'our choice' })
  }
}

function assertOwnMachine({ headers, protocol }: FastifyRequest): void {
  const host = headers.host ?? ''
  if (!/^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)) {
    throw new DomainError('forbidden', 'the control API answers on loopback only: the Host is not', {
      source: 'our choice',
    })
  }
  const { origin } = headers
  if (origin !== undefined && origin !== `${protocol}://${host}`) {
    throw new DomainError('forbidden', 'the control API answers its own pages only: the Origin is another', {
      source: 'our choice',
    })
  }
}

function hasKey({ headers }: FastifyRequest, key: string, digests: Digests): boolean {
  const given = headers['x-control-key'] ?? /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return typeof given === 'string' && digests.equal(digests.sha256(given), digests.sha256(key))
}
