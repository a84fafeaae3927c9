import { examination } from '../records/control/examination.ts'
import { defineControl } from './define.ts'

export const examinationOperations = defineControl('Examination', {
  publishExamination: {
    summary: 'Tell how far an examination is, as `vendor-cloud examine` does; this instance only',
    body: examination,
    reply: examination,
  },
  getExamination: { summary: 'How far the examination is that was published last', reply: examination, further: [404] },
})
