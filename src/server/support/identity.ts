import type { FastifyRequest } from 'fastify'
import { DomainError } from '../domain/errors.ts'
import { type Anonymous, type Dealer, type Guest, type Identity, requireDealer, type User } from '../domain/identity.ts'
import { assertSession } from '../domain/sessions.ts'
import type { Source } from '#contract/rules.ts'
import { HEADERS_RULE, readUserId, readSource, nameOf } from './identity-headers.ts'

/** Anonymous scope: only the origin is looked at, and whatever identity is sent is ignored. */
export function identifyAnonymous(request: FastifyRequest): Anonymous {
  return noted(request, { source: readSource(request), userId: undefined, companyId: undefined })
}

/** Guest scope: an identity is used when sent, and a malformed one is refused all the same. */
export function identifyGuest(request: FastifyRequest): Guest | Promise<Guest> {
  if (request.ports.world.choices['guest-identity'] === 'required') {
    return requireUser(request, 'our choice: guest-identity')
  }
  const source = readSource(request)
  return inSession(request, { source, userId: readUserId(request, source), companyId: undefined })
}

/** Identified scope: apps send a GUID, the web site a profile id; the other one of the two does not count. */
export function identifyUser(request: FastifyRequest): User | Promise<User> {
  return requireUser(request, HEADERS_RULE)
}

function requireUser(request: FastifyRequest, rule: Source): User | Promise<User> {
  const source = readSource(request)
  const userId = readUserId(request, source)
  if (userId === undefined) {
    const message = `${nameOf(source)} is required for requests from ${source}`
    throw new DomainError('unauthenticated', message, { source: rule, hint: 'GET /_control/status names callers' })
  }
  return inSession(request, { source, userId, companyId: undefined })
}

/** Dealer portal: a user whose profile belongs to a dealer company. */
export async function identifyDealer(request: FastifyRequest): Promise<Dealer> {
  return noted(request, await requireDealer(request.ports, await identifyUser(request)))
}

/** Where no session ends there is nothing to wait for. */
function inSession<Caller extends Identity>(request: FastifyRequest, caller: Caller): Caller | Promise<Caller> {
  noted(request, caller)
  if (caller.userId === undefined || request.ports.world.choices['session-lifetime'] === 'none') return caller
  return assertSession(request.ports, caller.userId).then(() => caller)
}

/** The journal names the caller also when the request is refused later. */
function noted<Caller extends Identity>(request: FastifyRequest, caller: Caller): Caller {
  request.notes.identity = caller
  return caller
}
