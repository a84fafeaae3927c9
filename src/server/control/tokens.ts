import { z } from 'zod'
import { issueAccessToken, revokeAccessToken } from '../domain/events/access-tokens.ts'
import { notFound } from '../domain/errors.ts'
import { noContent } from '../../contract/operation.ts'
import { accessTokenRequest, issuedToken } from '../../contract/records/events/access-token.ts'
import { controlOperations } from './context.ts'

const declare = controlOperations('Tokens')

export const tokens = [
  declare({
    operation: 'issueAccessToken',
    route: 'POST /_control/tokens',
    summary: 'An access token for event subscriptions, for any user',
    body: accessTokenRequest,
    reply: issuedToken,
    further: [400],
    run: async ({ ports, body }) => issueAccessToken(ports, body),
  }),

  declare({
    operation: 'revokeAccessToken',
    route: 'DELETE /_control/tokens/:accessToken',
    summary: 'Revoke an access token; its stream ends',
    params: z.object({ accessToken: z.string() }),
    reply: noContent,
    further: [404],
    run: async ({ ports, params }) => {
      const existed = await revokeAccessToken(ports, params.accessToken)
      if (!existed) throw notFound('there is no such access token')
    },
  }),
]
