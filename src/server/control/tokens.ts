import { tokenOperations } from '#contract/control/tokens.ts'
import { notFound } from '../domain/errors.ts'
import { issueAccessToken, revokeAccessToken } from '../domain/events/access-tokens.ts'
import { implementControl } from './context.ts'

export const tokens = implementControl(tokenOperations, {
  issueAccessToken: async ({ ports, body }) => issueAccessToken(ports, body),
  revokeAccessToken: async ({ ports, params }) => {
    const existed = await revokeAccessToken(ports, params.accessToken)
    if (!existed) throw notFound('there is no such access token', 'our choice: control-refusals')
  },
})
