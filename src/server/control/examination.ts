import { notFound } from '../domain/errors.ts'
import { type Examination, examination } from '../../contract/records/control/examination.ts'
import { controlOperations } from './context.ts'

const declare = controlOperations('Examination')

/** The newest one, whichever world it was published in: an examination has many. */
export function examinations() {
  let newest: Examination | undefined

  return [
    declare({
      operation: 'publishExamination',
      route: 'PUT /_control/examination',
      summary: 'Tell how far an examination is, as `vendor-cloud examine` does; this instance only',
      body: examination,
      reply: examination,
      run: async ({ body }) => {
        newest = body
        return body
      },
    }),

    declare({
      operation: 'getExamination',
      route: 'GET /_control/examination',
      summary: 'How far the examination is that was published last',
      reply: examination,
      further: [404],
      run: async () => {
        if (newest) return newest
        throw notFound('no examination was published: vendor-cloud examine starts one')
      },
    }),
  ]
}
