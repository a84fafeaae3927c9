import type { FastifyRequest } from 'fastify'
import { DomainError, finding, invalidInput } from '../domain/errors.ts'
import { apps, type RequestSource } from '../domain/identity.ts'
import { countHeader } from '../http/input/headers.ts'
import { IDENTITY_FORM, IDENTITY_RULE } from '#contract/records/formats.ts'

const PROFILE_COOKIE = 'vendorus-profId'
export const HEADERS_RULE = 'document 1, section 4, common request headers'

export function readUserId(request: FastifyRequest, source: RequestSource): string | undefined {
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

export function readSource(request: FastifyRequest): RequestSource {
  const target = 'header.request-source'
  const source = readHeader(request, 'request-source')
  const web = request.ports.world.choices['request-source-web']
  const known = () => [...web, ...apps].join(', ')
  if (source === undefined) {
    const missing = { code: 'MissingParameter', source: HEADERS_RULE } as const
    throw invalidInput([finding(target, `is required: one of ${known()}`, missing)])
  }
  if (web.includes(source) || apps.includes(source)) return source
  // RFC 9110, section 5.3: a repeated header may arrive as one line, its values joined by a comma.
  if (source.includes(',')) throw repeated(target, 'is given more than once')
  throw invalidInput([finding(target, `must be one of ${known()}`, { source: 'our choice: request-source-web' })])
}

/** Document 1, section 5, rule 4: the cookie wins over the header. An empty one counts as absent. */
function readProfileId(request: FastifyRequest): string | undefined {
  const header = readHeader(request, 'vendorus-profid')
  return readProfileCookie(request) ?? header
}

/** The parser silently takes the first of two equal cookies, so it is asked for each pair of the header. */
function readProfileCookie({ headers: { cookie }, server }: FastifyRequest): string | undefined {
  if (!cookie?.includes(PROFILE_COOKIE)) return undefined
  // RFC 6265 allows quotes around a value, which the parser keeps.
  const pairs = cookie.split(';').map((pair) => server.parseCookie(pair)[PROFILE_COOKIE]?.replace(/^"(.*)"$/, '$1'))
  const [value, another] = new Set(pairs.filter(Boolean))
  if (another !== undefined) throw repeated(`cookie.${PROFILE_COOKIE}`, 'has two different values')
  return value
}

function readHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  // Node joins a repeated header with commas, so only then it is counted.
  if (typeof value === 'string' && value.includes(',') && countHeader(request, name) > 1) {
    throw repeated(`header.${name}`, 'is given more than once')
  }
  return typeof value === 'string' && value !== '' ? value : undefined
}

function repeated(target: string, rule: string) {
  return invalidInput([finding(target, rule, { code: 'RepeatedParameter', source: 'our choice: identity-headers' })])
}

export function nameOf(source: RequestSource): string {
  return apps.includes(source) ? 'header.vendorus-GUID' : 'header.vendorus-profId'
}
