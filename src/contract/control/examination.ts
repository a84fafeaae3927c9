import { defineOperations } from '../operation.ts'
import { examination } from '../records/control/examination.ts'
import { controlRoutes } from './routes.ts'

export const examinationOperations = defineOperations(
  { scope: 'control', tag: 'Examination' },
  {
    publishExamination: {
      route: controlRoutes.publishExamination,
      summary: 'Tell how far an examination is, as `vendor-cloud examine` does; this instance only',
      body: examination,
      reply: examination,
    },
    getExamination: {
      route: controlRoutes.getExamination,
      summary: 'How far the examination is that was published last',
      reply: examination,
      further: [404],
    },
  },
)
