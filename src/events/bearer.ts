import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireAccessToken } from '../domain/events/access-tokens.ts'
import { DomainError, invalidInput } from '../domain/errors.ts'
import { notesOf } from '../http/request-notes.ts'
import { countHeader } from '../http/input/request-rules.ts'
import type { AccessToken } from '../schemas/events/access-token.ts'

const callers = new WeakMap<FastifyRequest, AccessToken>()

/** Document 2, section 5, rule 1: subscription operations carry a token. */
export async function identifyCaller(request: FastifyRequest): Promise<void> {
  const token = await requireAccessToken(request.ports, bearerOf(request))
  callers.set(request, token)
  notesOf(request).caller = token.user
}

/** The caller of a route behind `identifyCaller`. */
export function callerOf(request: FastifyRequest): AccessToken {
  return callers.get(request)!
}

/** The token of the Authorization header; nothing without one. */
export function bearerOf(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers
  if (!authorization) return undefined
  if (countHeader(request, 'authorization') > 1) {
    const [target, source] = ['header.authorization', 'our choice']
    throw invalidInput([{ code: 'RepeatedParameter', message: `${target} is given more than once`, target, source }])
  }
  const [, token] = /^bearer +(\S+) *$/i.exec(authorization) ?? []
  if (token) return token
  throw new DomainError('unauthenticated', 'Authorization must be Bearer and an access token', {
    source: 'document 2, section 5, rule 1',
  })
}

/** RFC 6750: a 401 says what would help. */
export async function challenge(_request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (reply.statusCode === 401) reply.header('www-authenticate', 'Bearer')
  return payload
}
