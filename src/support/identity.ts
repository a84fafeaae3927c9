import type { FastifyRequest } from 'fastify'
import { DomainError, invalidInput } from '../domain/errors.ts'
import type { Dealer, Identity, RequestSource, User } from '../domain/identity.ts'
import { countHeader } from '../http/input/request-rules.ts'

const SOURCES: readonly string[] = ['vendor.com', 'splus', 'voyager'] satisfies RequestSource[]
const PROFILE_COOKIE = 'vendorus-profId'
const RULE = 'document 1, section 4, common request headers'

/** Anonymous scope: only the origin is looked at, and whatever identity is sent is ignored. */
export function identifyOrigin(request: FastifyRequest): Identity {
  return { source: readSource(request), userId: undefined, companyId: undefined }
}

/** Guest scope: an identity is used when sent, and a malformed one is refused all the same. */
export function identifyGuest(request: FastifyRequest): Identity {
  const source = readSource(request)
  const value = source === 'vendor.com' ? readProfileId(request) : readHeader(request, 'vendorus-guid')
  if (value === undefined) return { source, userId: undefined, companyId: undefined }
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(value)) {
    throw new DomainError('unauthenticated', `${nameOf(source)} is not 1 to 64 of A-Z a-z 0-9 . _ -`, {
      source: 'our choice',
    })
  }
  return { source, userId: `${source === 'vendor.com' ? 'profile' : 'guid'}:${value}`, companyId: undefined }
}

/** Identified scope: apps send a GUID, the web site a profile id; the other one of the two does not count. */
export function identifyUser(request: FastifyRequest): User {
  const identity = identifyGuest(request)
  if (identity.userId !== undefined) return identity as User
  const message = `${nameOf(identity.source)} is required for requests from ${identity.source}`
  throw new DomainError('unauthenticated', message, { source: RULE })
}

/** The caller of a route in the identified scope. */
export function userOf(request: FastifyRequest): User {
  return request.identity as User
}

/** The caller of a route of the dealer portal. */
export function dealerOf(request: FastifyRequest): Dealer {
  return request.identity as Dealer
}

function readSource(request: FastifyRequest): RequestSource {
  const target = 'header.request-source'
  const source = readHeader(request, 'request-source')
  if (source === undefined) {
    throw invalidInput([{ code: 'MissingParameter', message: `${target} is required`, target, source: RULE }])
  }
  if (!SOURCES.includes(source)) {
    const message = `${target} must be one of ${SOURCES.join(', ')}`
    throw invalidInput([{ code: 'InvalidParameter', message, target, source: 'our choice' }])
  }
  return source as RequestSource
}

/** Document 1, section 5, rule 4: the cookie wins over the header. An empty one counts as absent. */
function readProfileId(request: FastifyRequest): string | undefined {
  const header = readHeader(request, 'vendorus-profid')
  return readProfileCookie(request) ?? header
}

/** The parser takes the first of two cookies of one name in silence: so it is asked for each pair of the header. */
function readProfileCookie({ cookies, headers, server }: FastifyRequest): string | undefined {
  if (cookies[PROFILE_COOKIE] === undefined) return undefined
  const pairs = (headers.cookie ?? '').split(';').map((pair) => server.parseCookie(pair)[PROFILE_COOKIE])
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

function repeated(target: string, what: string) {
  return invalidInput([{ code: 'RepeatedParameter', message: `${target} ${what}`, target, source: 'our choice' }])
}

function nameOf(source: RequestSource): string {
  return source === 'vendor.com' ? 'header.vendorus-profId' : 'header.vendorus-GUID'
}
