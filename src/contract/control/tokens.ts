import { z } from 'zod'
import { noContent } from '../operation.ts'
import { accessTokenRequest, issuedToken } from '../records/events/access-token.ts'
import { defineControl } from './define.ts'

export const tokenOperations = defineControl('Tokens', {
  issueAccessToken: {
    summary: 'An access token for event subscriptions, for any user',
    body: accessTokenRequest,
    reply: issuedToken,
    otherStatuses: [400],
    example: {
      body: {
        user: 'alice-home',
        scopes: ['r:devices:*'],
        locations: ['11111111-0000-4000-8000-000000000001'],
        expiresIn: 3600,
      },
    },
  },
  revokeAccessToken: {
    summary: 'Revoke an access token; its stream ends',
    params: z.object({ accessToken: z.string() }),
    reply: noContent,
    otherStatuses: [404],
    example: { needs: 'accessToken, from issueAccessToken' },
  },
})
