import type { FastifyRequest } from 'fastify'
import { requireAccessToken } from '../domain/events/access-tokens.ts'
import { DomainError, finding, invalidInput } from '../domain/errors.ts'
import { countHeader, describeIgnoredHeader } from '../http/input/headers.ts'
import type { AccessToken } from '#contract/records/events/access-token.ts'

/** Document 2, section 5, rule 1: subscription operations require a token. */
export async function identifyCaller(request: FastifyRequest): Promise<AccessToken> {
  const bearer = bearerOf(request)
  const near = bearer === undefined ? describeIgnoredHeader(request, 'authorization') : ''
  const token = await requireAccessToken(request.ports, bearer, near)
  request.context.caller = token.user
  return token
}

export function bearerOf(request: Pick<FastifyRequest, 'headers' | 'raw'>): string | undefined {
  const { authorization } = request.headers
  if (!authorization) return undefined
  if (countHeader(request, 'authorization') > 1) {
    const repeated = { code: 'RepeatedParameter', source: 'our choice: identity-headers' } as const
    throw invalidInput([finding('header.authorization', 'is given more than once', repeated)])
  }
  const [, token] = /^bearer +(\S+) *$/i.exec(authorization) ?? []
  if (token) return token
  throw new DomainError('unauthenticated', 'Authorization must be Bearer and an access token', {
    hint: 'GET /_control/status lists tokens',
    source: 'document 2, section 5, rule 1',
  })
}
