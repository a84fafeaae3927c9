import type { FastifyRequest } from 'fastify'
import { DomainError, finding, invalidInput } from '../domain/errors.ts'
import {
  type Anonymous,
  apps,
  type Dealer,
  type Guest,
  type Identity,
  type RequestSource,
  requireDealer,
  type User,
} from '../domain/identity.ts'
import { assertSession } from '../domain/sessions.ts'
import { countHeader } from '../http/input/headers.ts'
import type { Source } from '../../contract/records/choices/sources.ts'
import { IDENTITY_FORMS, IDENTITY_RULES } from '../../contract/records/formats.ts'

const PROFILE_COOKIE = 'vendorus-profId'
const RULE = 'document 1, section 4, common request headers'

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
  return requireUser(request, RULE)
}

function requireUser(request: FastifyRequest, rule: Source): User | Promise<User> {
  const source = readSource(request)
  const userId = readUserId(request, source)
  if (userId === undefined) {
    const message = `${nameOf(source)} is required for requests from ${source}; GET /_control/status names callers`
    throw new DomainError('unauthenticated', message, { source: rule })
  }
  return inSession(request, { source, userId, companyId: undefined })
}

/** Dealer portal: a user whose profile belongs to a dealer company. */
export async function identifyDealer(request: FastifyRequest): Promise<Dealer> {
  return noted(request, await requireDealer(request.ports, await identifyUser(request)))
}

/** Waits for nothing where no session ends. */
function inSession<Caller extends Identity>(request: FastifyRequest, caller: Caller): Caller | Promise<Caller> {
  noted(request, caller)
  if (caller.userId === undefined || request.ports.world.choices['session-lifetime'] === 'none') return caller
  return assertSession(request.ports, caller.userId).then(() => caller)
}

/** For the journal, also when the request is refused later. */
function noted<Caller extends Identity>(request: FastifyRequest, caller: Caller): Caller {
  request.notes.identity = caller
  return caller
}

function readUserId(request: FastifyRequest, source: RequestSource): string | undefined {
  const isApp = apps.includes(source)
  const value = isApp ? readHeader(request, 'vendorus-guid') : readProfileId(request)
  if (value === undefined) return undefined
  const form = request.ports.world.choices['identity-form']
  if (!IDENTITY_FORMS[form].test(value)) {
    throw new DomainError('unauthenticated', `${nameOf(source)} is not ${IDENTITY_RULES[form]}`, {
      source: 'our choice: identity-form',
    })
  }
  return `${isApp ? 'guid' : 'profile'}:${value}`
}

function readSource(request: FastifyRequest): RequestSource {
  const target = 'header.request-source'
  const source = readHeader(request, 'request-source')
  if (source === undefined) {
    throw invalidInput([finding(target, 'is required', { code: 'MissingParameter', source: RULE })])
  }
  const web = request.ports.world.choices['request-source-web']
  if (web.includes(source) || apps.includes(source)) return source
  // RFC 9110, section 5.3: a repeated header may arrive as one line, its values joined by a comma.
  if (source.includes(',')) throw repeated(target, 'is given more than once')
  const rule = `must be one of ${[...web, ...apps].join(', ')}`
  throw invalidInput([finding(target, rule, { source: 'our choice: request-source-web' })])
}

/** Document 1, section 5, rule 4: the cookie wins over the header. An empty one counts as absent. */
function readProfileId(request: FastifyRequest): string | undefined {
  const header = readHeader(request, 'vendorus-profid')
  return readProfileCookie(request) ?? header
}

/** The parser takes the first of two cookies of one name in silence: so it is asked for each pair of the header. */
function readProfileCookie({ headers: { cookie }, server }: FastifyRequest): string | undefined {
  if (!cookie?.includes(PROFILE_COOKIE)) return undefined
  // RFC 6265 lets a value stand in quotes, which the parser keeps.
  const pairs = cookie.split(';').map((pair) => server.parseCookie(pair)[PROFILE_COOKIE]?.replace(/^"(.*)"$/, '$1'))
  const [value, another] = new Set(pairs.filter(Boolean))
  if (another !== undefined) throw repeated(`cookie.${PROFILE_COOKIE}`, 'has two different values')
  return value
}

function readHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  // Node joins a repeated header with commas: only then is it worth counting.
  if (typeof value === 'string' && value.includes(',') && countHeader(request, name) > 1) {
    throw repeated(`header.${name}`, 'is given more than once')
  }
  return typeof value === 'string' && value !== '' ? value : undefined
}

function repeated(target: string, rule: string) {
  return invalidInput([finding(target, rule, { code: 'RepeatedParameter', source: 'our choice: identity-headers' })])
}

function nameOf(source: RequestSource): string {
  return apps.includes(source) ? 'header.vendorus-GUID' : 'header.vendorus-profId'
}
