import * as z from 'zod'
import { noContent } from '../operation.ts'
import { profileOrName, profileReply } from '../records/control/vendor-profile.ts'
import { sessionReply, sessionRequest } from '../records/control/session.ts'
import { defineControl } from './define.ts'

export const choiceSummary = z.object({
  id: z.string().meta({ description: 'ID', example: 'zip-plus-four' }),
  sentence: z.string().describe('Behavior of the server, and alternatives that a profile can set'),
  document: z.string().describe('Document that leaves this behavior open'),
  operations: z
    .array(z.union([z.int(), z.string()]))
    .describe('Related operations. An empty list means the whole document.'),
  source: z.string().meta({ description: 'Citation in errors', example: 'our choice: zip-plus-four' }),
  value: z.unknown().describe('Value in this world. Null if a profile cannot set the choice.'),
  allowed: z
    .array(z.union([z.string(), z.number()]))
    .optional()
    .describe('Values that a profile can set. The first value is the default.'),
})
export type ChoiceSummary = z.infer<typeof choiceSummary>

export const choiceOperations = defineControl('Choices', {
  listChoices: {
    summary: 'List choices and their values',
    reply: z.object({ items: z.array(choiceSummary), totalCount: z.int() }),
  },
})

export const profileOperations = defineControl('Profile', {
  setProfile: {
    summary: 'Apply a profile',
    description: 'Sets the choices, variation and faults of the profile and replaces the previous profile.',
    body: profileOrName,
    keepsUnchanged: ['body', 'headers'],
    reply: profileReply,
    example: { body: { profile: 'their-staging', choices: { 'zip-plus-four': 'accepted' } } },
  },
  getProfile: {
    summary: 'Get the applied profile',
    reply: profileReply,
    example: { needs: 'a profile that setProfile has applied' },
  },
  endProfile: {
    summary: 'Remove the profile',
    description: 'Restores the default choices. Faults and variation that were set separately remain.',
    reply: noContent,
  },
})

export const sessionOperations = defineControl('Sessions', {
  renewSession: {
    summary: 'Renew a session',
    description: 'Starts a new session of an identity. The choice `session-lifetime` sets when a session expires.',
    body: sessionRequest,
    reply: sessionReply,
    example: { body: { identity: 'profile:web-alice' } },
  },
})
