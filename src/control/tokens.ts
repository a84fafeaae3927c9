import { z } from 'zod'
import { issueAccessToken, revokeAccessToken } from '../domain/events/access-tokens.ts'
import { DomainError } from '../domain/errors.ts'
import { noContent } from '../http/zod.ts'
import { accessTokenRequest } from '../schemas/events/access-token.ts'
import { controlOperation } from './context.ts'

const tag = 'Tokens'

export const tokens = [
  controlOperation({
    operation: 'issueAccessToken',
    method: 'POST',
    path: '/_control/tokens',
    tag,
    summary: 'An access token for event subscriptions, for any user',
    body: accessTokenRequest,
    reply: z.object({ accessToken: z.string() }),
    further: [400],
    run: async ({ ports, body }) => issueAccessToken(ports, body),
  }),

  controlOperation({
    operation: 'revokeAccessToken',
    method: 'DELETE',
    path: '/_control/tokens/:accessToken',
    tag,
    summary: 'Revoke an access token; its stream ends',
    params: z.object({ accessToken: z.string() }),
    reply: noContent,
    further: [404],
    run: async ({ ports, params }) => {
      const existed = await revokeAccessToken(ports, params.accessToken)
      if (!existed) throw new DomainError('not-found', 'there is no such access token', { source: 'our choice' })
    },
  }),
]
