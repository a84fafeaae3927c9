import * as z from 'zod'

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

const values = z.record(z.string().max(200), z.string().max(2000))

/** Each is compared with every entry of a list in the request. */
const MOST_LISTED = 100

/** All that is given must fit. */
export const requestMatch = z.strictObject({
  operation: z
    .union([z.int(), z.string().max(100)], 'must be a number of document 1, an operationId, a name or METHOD and path')
    .optional()
    .meta({
      description:
        "Number of document 1's table, an operationId, a name such as createServiceToken, or METHOD and path",
    }),
  method: z.string().max(20).toUpperCase().pipe(z.enum(methods)).optional().describe('Such as POST'),
  path: z.string().max(500).optional().meta({
    description: "Without the world's prefix and the base path of document 1; * stands for anything",
    example: '/stg/us/*',
  }),
  caller: z.string().max(200).optional().describe('Who calls, such as web-alice'),
  query: values.optional().meta({ description: 'Parameters, each with its decoded value' }),
  header: values.optional().meta({ description: 'Headers, each with a text that its value holds' }),
  body: z
    .record(z.string(), z.unknown())
    .refine((body) => countListed(body) <= MOST_LISTED, `must not have more than ${MOST_LISTED} entries in lists`)
    .optional()
    .meta({ description: "What the body's fields must hold, at any depth; of a SOAP call by local element name" }),
})
export type RequestMatch = z.output<typeof requestMatch>

function countListed(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value).reduce((sum: number, each) => sum + countListed(each), 0)
  return inner + (Array.isArray(value) ? value.length : 0)
}
