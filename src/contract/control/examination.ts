import { examination } from '../records/control/examination.ts'
import { defineControl } from './define.ts'

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
    otherStatuses: [404],
    example: { needs: 'an examination, from publishExamination' },
  },
})
