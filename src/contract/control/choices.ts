import * as z from 'zod'
import { noContent } from '../operation.ts'
import { profileOrName, profileReply } from '../records/control/vendor-profile.ts'
import { sessionReply, sessionRequest } from '../records/control/session.ts'
import { defineControl } from './define.ts'

export const choiceSummary = z.object({
  id: z.string().meta({ description: 'ID of the choice', example: 'zip-plus-four' }),
  sentence: z.string().describe('What the server does'),
  document: z.string().describe('The document that leaves it open'),
  operations: z
    .array(z.union([z.int(), z.string()]))
    .describe('The operations that it concerns. An empty list means the whole document.'),
  source: z.string().meta({ description: 'How errors cite it', example: 'our choice: zip-plus-four' }),
  value: z.unknown().meta({ description: 'Its value in this world, or null where a profile cannot set it' }),
  allowed: z
    .array(z.union([z.string(), z.number()]))
    .optional()
    .describe('Values that a profile can set, the default first'),
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
    summary: 'Bend the world: set choices, and the faults and variation that come and go with them',
    body: profileOrName,
    keepsWhole: ['body', 'headers'],
    reply: profileReply,
    example: { body: { profile: 'their-staging', choices: { 'zip-plus-four': 'accepted' } } },
  },
  getProfile: {
    summary: 'Read the profile',
    reply: profileReply,
    example: { needs: 'a profile, from setProfile' },
  },
  endProfile: { summary: 'The world is plain; what was set by hand stays', reply: noContent },
})

export const sessionOperations = defineControl('Sessions', {
  renewSession: {
    summary: 'An identity is good again from now on, where `session-lifetime` ends it',
    body: sessionRequest,
    reply: sessionReply,
    example: { body: { identity: 'profile:web-alice' } },
  },
})
