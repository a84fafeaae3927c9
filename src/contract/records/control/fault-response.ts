import * as z from 'zod'
import { explain, writePath } from '../issues.ts'
import { sayNearest } from '../nearest.ts'

const retryAfter = z.int().min(0).max(86_400).optional().meta({ description: 'Seconds, as Retry-After' })
/** Every reply that a fault struck bears this header, so that nobody takes it for the vendor's. */
export const FAULT_HEADER = 'x-vendor-cloud-fault'

const bytes = z.int().min(0).max(10_000_000)

/** These headers frame the message or name its fault, so only the server sets them. */
const RESERVED = ['connection', 'content-length', 'keep-alive', 'trailer', 'transfer-encoding', 'upgrade', FAULT_HEADER]
/** Statuses whose replies have no body (RFC 9110). */
const WITHOUT_BODY = [204, 205, 304]
export const hasNoBody = (status: number) => WITHOUT_BODY.includes(status)

const NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/
const TEXT = /^[\t\x20-\x7e\x80-\xff]{0,8192}$/

/** Names are judged after the form, so that a finding names the header. */
const headers = z
  .record(z.string(), z.union([z.string(), z.array(z.string()).min(1).max(20)]))
  .check(({ value, issues }) => {
    const refuse = (path: string[], message: string) =>
      issues.push({ code: 'custom', input: value, path, message, continue: true })
    if (Object.keys(value).length > 50) refuse([], 'must have at most 50 headers')
    for (const [name, given] of Object.entries(value)) {
      if (!NAME.test(name)) refuse([name], 'is no name of a header')
      else if (RESERVED.includes(name.toLowerCase())) refuse([name], 'is for the server to say')
      else if (![given].flat().every((text) => TEXT.test(text))) refuse([name], 'must be one line of a header')
    }
  })

const forms = [
  z
    .strictObject({
      status: z
        .int()
        .min(200)
        .max(599)
        .describe('Of the reply; below 400 without a body the work is done and its own reply goes out with it'),
      code: z.string().max(100).optional().describe('Of the error, in documents 1 and 2a'),
      retryAfter,
      headers: headers
        .optional()
        .describe('In addition to those of the reply or in their place; an empty one is removed'),
      body: z.unknown().optional().describe('Word for word: a text, or a value that is sent as JSON'),
    })
    .refine(({ status, code }) => code === undefined || status >= 400, {
      path: ['code'],
      message: 'is for a status from 400 on: below it nothing failed',
    })
    .refine(({ code, body }) => code === undefined || body === undefined, {
      path: ['code'],
      message: "is for the document's own failure, not beside a body",
    })
    .refine(({ status, body }) => body === undefined || !hasNoBody(status), {
      path: ['body'],
      message: `cannot be sent with a status of ${WITHOUT_BODY.join(', ')}`,
    }),
  z.strictObject({ fault: z.literal([10, 15, 300, 301, -1]).describe('Error code of document 3'), retryAfter }),
  z.strictObject({
    resultCode: z
      .enum(['CMN1N1001', 'CMN1N1002', 'CMN1N1003', 'CMN2N2007', 'CMN4N8003', 'CMN5N9001'])
      .describe("Of the wallet's reply"),
    retryAfter,
  }),
  z.strictObject({ reset: z.literal(true).describe('The connection is reset') }),
  z.strictObject({ timeout: z.literal(true).describe('No answer until the client leaves') }),
  z.strictObject({ cut: bytes.describe('So many bytes of the body, then a reset') }),
  z.strictObject({ drip: z.int().min(1).max(10_000_000).describe('So many bytes a second') }),
  z.strictObject({ garbage: z.literal(true).describe('Bytes that are no JSON and no XML') }),
] as const
const formNames = [...new Set(forms.flatMap((form) => Object.keys(form.shape)))]

/** Only the form with exactly these fields tells what is wrong; two such forms tell nothing. */
function judgeForm(given: unknown): string | undefined {
  const names = Object.keys(Object(given))
  const [form, another] = forms.filter(({ shape }) => names.every((name) => Object.hasOwn(shape, name)))
  const issue = form && !another ? explain<z.ZodType>(form, given).error?.issues[0] : undefined
  return issue && `has a wrong ${writePath('', issue.path)}: it ${issue.message}`
}

export const respond = z.union(forms, {
  error: ({ input }) => {
    const unknown = Object.keys(Object(input)).find((name) => !formNames.includes(name))
    if (unknown !== undefined) return `has no field ${unknown}${sayNearest(unknown, formNames)}`
    return (
      judgeForm(input) ??
      'must be {status, code, retryAfter}, {status, headers, body}, {fault}, {resultCode}, {reset: true}, {timeout: ' +
        'true}, {cut: bytes}, {drip: bytesPerSecond} or {garbage: true}'
    )
  },
})
export type FaultResponse = z.infer<typeof respond>

type StatusResponse = Extract<FaultResponse, { status: number }>

/** The work is done before such a reply goes out. */
export function findKindReply(respond: FaultResponse | undefined): StatusResponse | undefined {
  return respond && 'status' in respond && respond.status < 400 && respond.body === undefined ? respond : undefined
}

export function findGivenReply(respond: FaultResponse): StatusResponse | undefined {
  return 'status' in respond && respond.body !== undefined ? respond : undefined
}

export type Throttling = Extract<FaultResponse, { cut: number } | { drip: number }>
