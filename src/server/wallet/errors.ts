import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { WALLET_TYPE } from '#contract/documents/wallet/availability.ts'
import type { ErrorCode } from '../domain/errors.ts'
import { citeRules, InjectedFault, toDomainError } from '../http/errors.ts'
import type { WriteError } from '../http/json-errors.ts'
import { recordRefusal } from '../http/request-context.ts'

const MISSING = 'CMN1N1001'
const INVALID = 'CMN1N1002'
const LENGTH = 'CMN1N1003'
const COUNTRY = 'CMN2N2007'
const DATABASE = 'CMN4N8003'
const INTERNAL = 'CMN5N9001'

/** Document 2, section 7. Our choice: HTTP errors keep their status. A fault uses the first entry of its code. */
const results = {
  'invalid-input': { status: 400, resultCode: INVALID },
  'missing-parameter': { status: 400, resultCode: MISSING },
  'invalid-parameter': { status: 400, resultCode: INVALID },
  'invalid-length': { status: 400, resultCode: LENGTH },
  'invalid-country': { status: 400, resultCode: COUNTRY },
  malformed: { status: 400, resultCode: INVALID },
  unauthenticated: { status: 400, resultCode: INVALID },
  'invalid-token': { status: 400, resultCode: INVALID },
  'expired-token': { status: 400, resultCode: INVALID },
  forbidden: { status: 400, resultCode: INVALID },
  internal: { status: 500, resultCode: INTERNAL },
  'not-found': { status: 404, resultCode: INTERNAL },
  'method-not-allowed': { status: 405, resultCode: INTERNAL },
  conflict: { status: 400, resultCode: INVALID },
  'slot-unavailable': { status: 400, resultCode: INVALID },
  'limit-exceeded': { status: 400, resultCode: INVALID },
  'payload-too-large': { status: 413, resultCode: INTERNAL },
  'unsupported-media-type': { status: 415, resultCode: INTERNAL },
  'too-many-requests': { status: 429, resultCode: INTERNAL },
  timeout: { status: 408, resultCode: INTERNAL },
  'expectation-failed': { status: 417, resultCode: INTERNAL },
  'headers-too-large': { status: 431, resultCode: INTERNAL },
  unavailable: { status: 500, resultCode: DATABASE },
  closing: { status: 503, resultCode: INTERNAL },
  'client-left': { status: 499, resultCode: INTERNAL },
} as const satisfies Record<ErrorCode, { status: number; resultCode: string }>

export function replyWithResult(thrown: unknown, request: FastifyRequest, reply: FastifyReply) {
  const error = toDomainError(thrown, request)
  const injected = error instanceof InjectedFault
  const { status, resultCode } = injected ? toInjected(error) : results[error.code]
  const resultMessage = injected ? describeResult(status, resultCode, request) : error.message
  recordRefusal(request, error, injected ? undefined : resultCode)
  citeRules(reply, error)
  return reply
    .code(status)
    .header('content-type', WALLET_TYPE)
    .serializer(JSON.stringify)
    .send({ resultCode, resultMessage })
}

export const writeResult: WriteError = ({ code, message: resultMessage }) => {
  const { status, resultCode } = results[code]
  const body = JSON.stringify({ resultCode, resultMessage })
  return { status, headers: { 'content-type': WALLET_TYPE }, body }
}

function toInjected({ respond }: InjectedFault): { status: number; resultCode: string } {
  if ('resultCode' in respond) {
    const { resultCode } = respond
    return Object.values(results).find((result) => result.resultCode === resultCode) ?? { status: 500, resultCode }
  }
  return {
    status: 'status' in respond ? respond.status : 500,
    resultCode:
      ('code' in respond && respond.code) || ('status' in respond && respond.status === 400 ? INVALID : INTERNAL),
  }
}

const resultMessages: Readonly<Record<string, string>> = {
  [MISSING]: 'Required parameter is missing',
  [INVALID]: 'Invalid parameter',
  [LENGTH]: 'Invalid parameter length',
  [COUNTRY]: 'Invalid country code',
  [DATABASE]: 'Database connection failed',
}

/** Document 2, section 7. Prefers `modelName`, because the journal does not display partner codes. */
function describeResult(status: number, resultCode: string, { headers, query }: FastifyRequest): string {
  const statusMessage = resultMessages[resultCode] ?? STATUS_CODES[status] ?? 'Internal server error'
  if (resultCode === COUNTRY) return `${statusMessage}: countryCode`
  if (![MISSING, INVALID, LENGTH].includes(resultCode)) return statusMessage
  const sent: Record<string, unknown> = { ...(query as object), partnerCode: headers['partnercode'] }
  const named = ['modelName', 'partnerCode', 'serviceType', 'countryCode'].find((name) => sent[name])
  return `${statusMessage}: ${named ?? 'partnerCode'}`
}
