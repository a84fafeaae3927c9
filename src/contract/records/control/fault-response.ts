import * as z from 'zod'
import { explain, writePath } from '../issues.ts'
import { suggestNearest } from '../nearest.ts'

const retryAfter = z.int().min(0).max(86_400).optional().describe('Value of the Retry-After header, in seconds')
/** Header that is added to every response that a fault has changed. */
export const FAULT_HEADER = 'x-vendor-cloud-fault'

const bytes = z.int().min(0).max(10_000_000)

const RESERVED = ['connection', 'content-length', 'keep-alive', 'trailer', 'transfer-encoding', 'upgrade', FAULT_HEADER]
/** Statuses without a response body (RFC 9110). */
const WITHOUT_BODY = [204, 205, 304]
export const hasNoBody = (status: number) => WITHOUT_BODY.includes(status)

const NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/
const TEXT = /^[\t\x20-\x7e\x80-\xff]{0,8192}$/

/** The names are validated here and not in the key schema, so that errors contain the name of the header. */
const headers = z
  .record(z.string(), z.union([z.string(), z.array(z.string()).min(1).max(20)]))
  .check(({ value, issues }) => {
    const refuse = (path: string[], message: string) =>
      issues.push({ code: 'custom', input: value, path, message, continue: true })
    if (Object.keys(value).length > 50) refuse([], 'must have at most 50 headers')
    for (const [name, given] of Object.entries(value)) {
      if (!NAME.test(name)) refuse([name], 'is not a valid header name')
      else if (RESERVED.includes(name.toLowerCase())) refuse([name], 'is set by the server')
      else if (![given].flat().every((text) => TEXT.test(text))) refuse([name], 'must be a single-line header value')
    }
  })

const forms = [
  z
    .strictObject({
      status: z
        .int()
        .min(200)
        .max(599)
        .describe(
          'HTTP status. If it is below 400 and there is no `body`, the operation runs and only the status of its ' +
            'response is replaced.',
        ),
      code: z.string().max(100).optional().describe('Error code, for the support and event APIs'),
      retryAfter,
      headers: headers.optional().describe('Headers to add or replace. An empty value removes the header.'),
      body: z
        .unknown()
        .optional()
        .describe('Response body: a text that is sent unchanged, or a value that is sent as JSON'),
    })
    .refine(({ status, code }) => code === undefined || status >= 400, {
      path: ['code'],
      message: 'requires a status of 400 or higher',
    })
    .refine(({ code, body }) => code === undefined || body === undefined, {
      path: ['code'],
      message: 'cannot be combined with a body',
    })
    .refine(({ status, body }) => body === undefined || !hasNoBody(status), {
      path: ['body'],
      message: `cannot be sent with a status of ${WITHOUT_BODY.join(', ')}`,
    }),
  z.strictObject({ fault: z.literal([10, 15, 300, 301, -1]).describe('Error code of the billing API'), retryAfter }),
  z.strictObject({
    resultCode: z
      .enum(['CMN1N1001', 'CMN1N1002', 'CMN1N1003', 'CMN2N2007', 'CMN4N8003', 'CMN5N9001'])
      .describe('Result code of the wallet API'),
    retryAfter,
  }),
  z.strictObject({ reset: z.literal(true).describe('Resets the connection') }),
  z.strictObject({ timeout: z.literal(true).describe('Sends no response until the client disconnects') }),
  z.strictObject({ cut: bytes.describe('Number of body bytes to send before the connection is reset') }),
  z.strictObject({
    throttle: z.int().min(1).max(10_000_000).describe('Bytes per second at which the response is sent'),
  }),
  z.strictObject({ garbage: z.literal(true).describe('Sends bytes that are neither JSON nor XML') }),
] as const
const formNames = [...new Set(forms.flatMap((form) => Object.keys(form.shape)))]

/** If exactly one form of response has all of the given fields, returns the first error for that form. */
function validateForm(given: unknown): string | undefined {
  const names = Object.keys(Object(given))
  const [form, another] = forms.filter(({ shape }) => names.every((name) => Object.hasOwn(shape, name)))
  const issue = form && !another ? explain<z.ZodType>(form, given).error?.issues[0] : undefined
  return issue && `is not valid: ${writePath('', issue.path)} ${issue.message}`
}

export const respond = z.union(forms, {
  error: ({ input }) => {
    const unknown = Object.keys(Object(input)).find((name) => !formNames.includes(name))
    if (unknown !== undefined) return `has no field ${unknown}${suggestNearest(unknown, formNames)}`
    return (
      validateForm(input) ??
      'must be {status, code, retryAfter}, {status, headers, body}, {fault}, {resultCode}, {reset: true}, {timeout: ' +
        'true}, {cut: bytes}, {throttle: bytesPerSecond} or {garbage: true}'
    )
  },
})
export type FaultResponse = z.infer<typeof respond>

type StatusResponse = Extract<FaultResponse, { status: number }>

/** Returns the response of a fault that lets the operation run and changes only its status and headers. */
export function findKindReply(respond: FaultResponse | undefined): StatusResponse | undefined {
  return respond && 'status' in respond && respond.status < 400 && respond.body === undefined ? respond : undefined
}

export function findFixedResponse(respond: FaultResponse): StatusResponse | undefined {
  return 'status' in respond && respond.body !== undefined ? respond : undefined
}

export type Throttling = Extract<FaultResponse, { cut: number } | { throttle: number }>
