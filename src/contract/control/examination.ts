import { defineControl } from './define.ts'
import * as z from 'zod'

const name = z.string().min(1).max(200).describe('Name')

export const examination = z.strictObject({
  seed: z.string().max(1000).describe('Seed of the random variations'),
  profile: z.string().max(100).optional().describe('Profile of the worlds used for this examination'),
  grade: z.enum(['A', 'B', 'C', 'D']).optional().describe('Current grade. Absent until a scenario has finished.'),
  scenarios: z
    .array(
      z.strictObject({
        name,
        state: z.enum(['waiting', 'running', 'done']).describe('Progress'),
        problem: z
          .string()
          .max(2000)
          .optional()
          .describe('Error that makes the scenario fail regardless of its checks'),
      }),
    )
    .max(1000)
    .describe('Scenarios in the order in which they run'),
  checks: z
    .array(
      z.strictObject({
        name,
        level: z
          .enum(['MUST', 'SHOULD', 'INFO'])
          .describe('MUST: required by a specification or RFC. SHOULD: good practice. INFO: for information.'),
        verdict: z.enum(['passed', 'failed', 'not covered']).describe('Current result'),
        advice: z.string().max(2000).describe('How to fix a failure'),
      }),
    )
    .max(1000)
    .describe('Checks that are evaluated over all scenarios, and the checks of each finished scenario'),
})
export type Examination = z.infer<typeof examination>

export const examinationOperations = defineControl('Examination', {
  publishExamination: {
    summary: 'Publish examination results',
    description: 'Used by `vendor-cloud examine` to report progress. Visible on this instance only.',
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
            advice: 'After a 500 response, ask again with increasing delays.',
          },
        ],
      },
    },
  },
  getExamination: {
    summary: 'Get the latest examination results',
    reply: examination,
    example: { needs: 'an examination that publishExamination has published' },
  },
})
