import { z } from 'zod'
import { defineOperations, noContent } from '../operation.ts'
import { accessTokenRequest, issuedToken } from '../records/events/access-token.ts'
import { controlRoutes } from './routes.ts'

export const tokenOperations = defineOperations(
  { scope: 'control', tag: 'Tokens' },
  {
    issueAccessToken: {
      route: controlRoutes.issueAccessToken,
      summary: 'An access token for event subscriptions, for any user',
      body: accessTokenRequest,
      reply: issuedToken,
      further: [400],
    },
    revokeAccessToken: {
      route: controlRoutes.revokeAccessToken,
      summary: 'Revoke an access token; its stream ends',
      params: z.object({ accessToken: z.string() }),
      reply: noContent,
      further: [404],
    },
  },
)
