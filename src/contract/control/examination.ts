import { defineControl } from './define.ts'
import * as z from 'zod'

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

export const examinationOperations = defineControl('Examination', {
  publishExamination: {
    summary: 'Tell how far an examination is, as `vendor-cloud examine` does; this instance only',
    body: examination,
    reply: examination,
    example: {
      body: {
        seed: 'any text',
        grade: 'C',
        scenarios: [
          { name: 'wallet-away', state: 'done' },
          { name: 'wallet-json-order', state: 'running' },
        ],
        checks: [
          {
            name: 'asks-again-after-500',
            level: 'SHOULD',
            verdict: 'failed',
            advice: 'Ask again after 500, a little later each time.',
          },
        ],
      },
    },
  },
  getExamination: {
    summary: 'How far the examination is that was published last',
    reply: examination,
    example: { needs: 'an examination, from publishExamination' },
  },
})
