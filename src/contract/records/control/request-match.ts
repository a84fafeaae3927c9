import * as z from 'zod'

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Types of callers in document 1. `other`: a request to another API, or rejected before its caller was identified. */
export const callerTypes = ['dealer', 'user', 'guest', 'other'] as const
export type CallerType = (typeof callerTypes)[number]

const toText = (value: unknown) => (typeof value === 'number' ? String(value) : value)
const values = z.record(z.string().max(200), z.preprocess(toText, z.string().max(2000)) as z.ZodType<string, string>)

/** Maximum number of entries in a list, because each entry is compared with every entry of a list in the request. */
const MOST_LISTED = 100

export const CALLER = 'Caller such as web-alice, or a type of caller: dealer, user, guest (no identity) or other'

/** A request matches if it meets all criteria. */
export const requestMatch = z.strictObject({
  operation: z
    .union([z.int(), z.string().max(100)], 'must be a number of document 1, an operationId, a name or METHOD and path')
    .optional()
    .describe('Operation number of document 1, operationId, name such as createServiceToken, or METHOD and path'),
  method: z.string().max(20).toUpperCase().pipe(z.enum(methods)).optional().describe('HTTP method'),
  path: z.string().max(500).optional().meta({
    description: 'Path without the prefix of the world and the base path of document 1, with * as a wildcard',
    example: '/stg/us/*',
  }),
  caller: z.string().max(200).optional().describe(CALLER),
  query: values.optional().describe('Query parameters with their decoded values'),
  header: values.optional().describe('Header names, each with a text that the value of the header must contain'),
  body: z
    .record(z.string(), z.unknown())
    .refine((body) => countListed(body) <= MOST_LISTED, `must have at most ${MOST_LISTED} list entries in total`)
    .optional()
    .describe('Body fields with their values, at any depth. For a SOAP call, inputs by local element name.'),
})
export type RequestMatch = z.output<typeof requestMatch>

function countListed(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value).reduce((sum: number, each) => sum + countListed(each), 0)
  return inner + (Array.isArray(value) ? value.length : 0)
}
