import { z } from 'zod'
import { issueAccessToken, revokeAccessToken } from '../domain/events/access-tokens.ts'
import { DomainError } from '../domain/errors.ts'
import { errorBody } from '../http/json-errors.ts'
import { noContent } from '../http/zod.ts'
import { accessTokenRequest } from '../schemas/events/access-token.ts'
import type { ControlApp } from './context.ts'

export function tokens(app: ControlApp): void {
  const tags = ['Tokens']

  app.post('/_control/tokens', {
    config: { operation: 'issueAccessToken' },
    schema: {
      tags,
      summary: 'An access token for event subscriptions, for any user',
      body: accessTokenRequest,
      response: { 200: z.object({ accessToken: z.string() }), 400: errorBody, 403: errorBody },
    },
    handler: async ({ ports, body }) => issueAccessToken(ports, body),
  })

  app.delete('/_control/tokens/:accessToken', {
    config: { operation: 'revokeAccessToken' },
    schema: {
      tags,
      summary: 'Revoke an access token; its stream ends',
      params: z.object({ accessToken: z.string() }),
      response: { 204: noContent, 403: errorBody, 404: errorBody },
    },
    handler: async ({ ports, params }, reply) => {
      const existed = await revokeAccessToken(ports, params.accessToken)
      if (!existed) throw new DomainError('not-found', 'there is no such access token', { source: 'our choice' })
      return reply.code(204).send(undefined)
    },
  })
}
