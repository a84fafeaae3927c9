import type { FastifyRequest } from 'fastify'
import { DomainError, finding, invalidInput } from '../domain/errors.ts'
import {
  type Anonymous,
  type Dealer,
  type Guest,
  type Identity,
  type RequestSource,
  type User,
  apps,
  requireDealer,
} from '../domain/identity.ts'
import { assertSession } from '../domain/sessions.ts'
import type { Source } from '#contract/rules.ts'
import { describeIgnored } from '#contract/records/nearest.ts'
import { countHeader, describeIgnoredHeader } from '../http/input/headers.ts'
import { IDENTITY_FORM, IDENTITY_RULE } from '#contract/records/formats.ts'

export function identifyAnonymous(request: FastifyRequest): Anonymous {
  return noted(request, { source: readSource(request), userId: undefined, companyId: undefined })
}

/** Guest scope: the identity is optional, but a malformed one is rejected. */
export function identifyGuest(request: FastifyRequest): Guest | Promise<Guest> {
  if (request.ports.world.choices['guest-identity'] === 'required') {
    return requireUser(request, 'our choice: guest-identity')
  }
  const source = readSource(request)
  return inSession(request, { source, userId: readUserId(request, source), companyId: undefined })
}

/** Identified scope: a GUID for apps, a profile ID for the web site. The other header is ignored. */
export function identifyUser(request: FastifyRequest): User | Promise<User> {
  return requireUser(request, HEADERS_RULE)
}

function requireUser(request: FastifyRequest, rule: Source): User | Promise<User> {
  const source = readSource(request)
  const userId = readUserId(request, source)
  if (userId === undefined) {
    const isApp = apps.includes(source)
    const ignored = isApp ? 'vendorus-profId' : 'vendorus-GUID'
    const note = request.headers[ignored.toLowerCase()] ? ` (${ignored} is for ${isApp ? 'the web site' : 'apps'})` : ''
    const unknown = Object.keys(request.headers).filter((name) => !IDENTITY_HEADERS.includes(name))
    const near = describeIgnored(nameOf(source).slice('header.'.length).toLowerCase(), unknown)
    const message = `${nameOf(source)} is required for requests from ${source}${note}${near}`
    throw new DomainError('unauthenticated', message, { source: rule, hint: 'GET /_control/status names callers' })
  }
  return inSession(request, { source, userId, companyId: undefined })
}

export async function identifyDealer(request: FastifyRequest): Promise<Dealer> {
  return noted(request, await requireDealer(request.ports, await identifyUser(request)))
}

/** If sessions do not expire, no lookup is necessary, and the result is returned synchronously. */
function inSession<Caller extends Identity>(request: FastifyRequest, caller: Caller): Caller | Promise<Caller> {
  noted(request, caller)
  if (caller.userId === undefined || request.ports.world.choices['session-lifetime'] === 'none') return caller
  return assertSession(request.ports, caller.userId).then(() => caller)
}

/** Stores the caller for the journal, so that the journal shows the caller even if the request is rejected later. */
function noted<Caller extends Identity>(request: FastifyRequest, caller: Caller): Caller {
  request.context.identity = caller
  return caller
}

const IDENTITY_HEADERS = ['vendorus-profid', 'vendorus-guid']
const PROFILE_COOKIE = 'vendorus-profId'
const HEADERS_RULE = 'document 1, section 4, common request headers'

function readUserId(request: FastifyRequest, source: RequestSource): string | undefined {
  const isApp = apps.includes(source)
  const value = isApp ? readHeader(request, 'vendorus-guid') : readProfileId(request)
  if (value === undefined) return undefined
  if (!IDENTITY_FORM.test(value)) {
    throw new DomainError('unauthenticated', `${nameOf(source)} is not ${IDENTITY_RULE}`, {
      source: 'our choice: identity-form',
    })
  }
  return `${isApp ? 'guid' : 'profile'}:${value}`
}

function readSource(request: FastifyRequest): RequestSource {
  const target = 'header.request-source'
  const source = readHeader(request, 'request-source')
  const web = request.ports.world.choices['request-source-web']
  const known = () => [...web, ...apps].join(', ')
  if (source === undefined) {
    const missing = { code: 'MissingParameter', source: HEADERS_RULE } as const
    const ignored = describeIgnoredHeader(request, 'request-source')
    throw invalidInput([finding(target, `is required: one of ${known()}${ignored}`, missing)])
  }
  if (web.includes(source) || apps.includes(source)) return source
  // RFC 9110, section 5.3: if a header is repeated, its values may arrive as one line, separated by commas.
  if (source.includes(',')) throw repeated(target, 'is given more than once')
  throw invalidInput([finding(target, `must be one of ${known()}`, { source: 'our choice: request-source-web' })])
}

/** Document 1, section 5, rule 4: the cookie takes precedence over the header. An empty cookie counts as absent. */
function readProfileId(request: FastifyRequest): string | undefined {
  const header = readHeader(request, 'vendorus-profid')
  return readProfileCookie(request) ?? header
}

/** Parsed pair by pair, because the parser silently uses the first of repeated cookies. */
function readProfileCookie({ headers: { cookie }, server }: FastifyRequest): string | undefined {
  if (!cookie?.includes(PROFILE_COOKIE)) return undefined
  // RFC 6265 allows quotes around a value. The parser leaves them in the value.
  const pairs = cookie.split(';').map((pair) => server.parseCookie(pair)[PROFILE_COOKIE]?.replace(/^"(.*)"$/, '$1'))
  const [value, another] = new Set(pairs.filter(Boolean))
  if (another !== undefined) throw repeated(`cookie.${PROFILE_COOKIE}`, 'has two different values')
  return value
}

function readHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  // Node joins repeated headers with commas, so they are counted only if the value contains a comma.
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
