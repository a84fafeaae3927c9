import { z } from 'zod'

const name = z.string().min(1).max(200).describe('As the book has it')

export const examination = z.strictObject({
  seed: z.string().max(1000).describe('What varies is a function of it'),
  profile: z.string().max(100).optional().describe('The profile of its worlds'),
  grade: z.enum(['A', 'B', 'C', 'D']).optional().meta({ description: 'So far; absent until a scenario is over' }),
  scenarios: z
    .array(
      z.strictObject({
        name,
        state: z.enum(['waiting', 'running', 'done']).describe('How far it is'),
        trouble: z.string().max(2000).optional().describe('Why it does not pass, whatever its checks say'),
      }),
    )
    .max(1000)
    .describe('In the order of the book'),
  checks: z
    .array(
      z.strictObject({
        name,
        level: z.enum(['MUST', 'SHOULD', 'INFO']).describe('By a document or an RFC, by good use, or worth knowing'),
        verdict: z.enum(['passed', 'failed', 'not met']).describe('So far'),
        advice: z.string().max(2000).describe('What to do about a failure'),
      }),
    )
    .max(1000)
    .describe('Those on all scenarios, and those of each that is over'),
})
export type Examination = z.infer<typeof examination>
