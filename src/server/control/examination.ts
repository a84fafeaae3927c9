import { examinationOperations, type Examination } from '#contract/control/examination.ts'
import { notFound } from '../domain/errors.ts'
import { implementControl } from './context.ts'

/** All worlds share the newest report, because an examination uses many worlds. */
export interface PublishedExamination {
  newest?: Examination
}

export function examinations(published: PublishedExamination) {
  return implementControl(examinationOperations, {
    publishExamination: async ({ body }) => {
      published.newest = body
      return body
    },

    getExamination: async () => {
      if (published.newest) return published.newest
      throw notFound('no examination was published. Run vendor-cloud examine', 'our choice: examination')
    },
  })
}
