import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DomainError, ErrorCode } from '../domain/errors.ts'
import { citeRules, InjectedFault, toDomainError } from '../http/errors.ts'
import type { WriteError } from '../http/json-errors.ts'
import { recordRefusal } from '../http/request-context.ts'
import { escapeXml, writeEnvelope } from './envelope.ts'
import { SoapFault } from './soap-fault.ts'

interface ServiceError {
  errorCode: number
  errorMessage: string
}

const MISSING = { errorCode: 10, errorMessage: 'MISSING_PARAMETER' }
const INVALID = { errorCode: 15, errorMessage: 'INVALID_PARAMETER_VALUE' }
const INVALID_SECRET = { errorCode: 300, errorMessage: 'INVALID_SECRET' }
const EXPIRED = { errorCode: 301, errorMessage: 'EXPIRED_SERVICE_TOKEN' }
const UNKNOWN = { errorCode: -1, errorMessage: 'UNKNOWN_ERROR' }

/** Error codes and messages from document 3, section 7. */
export const documentErrors: readonly ServiceError[] = [MISSING, INVALID, INVALID_SECRET, EXPIRED, UNKNOWN]

/** Document 3, section 7. A number is an HTTP status with a plain-text body (our choice). */
const errorMapping = {
  'invalid-input': INVALID,
  'missing-parameter': MISSING,
  'invalid-parameter': INVALID,
  'invalid-length': INVALID,
  'invalid-country': INVALID,
  malformed: 400,
  'client-left': 499,
  unauthenticated: INVALID_SECRET,
  'invalid-token': INVALID_SECRET,
  'expired-token': EXPIRED,
  forbidden: INVALID_SECRET,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: INVALID,
  'slot-unavailable': INVALID,
  'limit-exceeded': INVALID,
  'payload-too-large': 413,
  'unsupported-media-type': 415,
  'too-many-requests': 429,
  timeout: 408,
  'expectation-failed': 417,
  'headers-too-large': 431,
  unavailable: UNKNOWN,
  closing: 503,
  internal: UNKNOWN,
} as const satisfies Record<ErrorCode, ServiceError | number>

/** Document 3, section 9: deprecated since the end of 2024. RFC 9745 and RFC 8594 define the headers. */
export const deprecation = { deprecation: '@1735689599', sunset: 'Tue, 31 Dec 2024 23:59:59 GMT' }

const TEXT_TYPE = 'text/plain; charset=utf-8'

export const writeText: WriteError = ({ code, message }) => {
  const drawing = errorMapping[code]
  const headers = { ...deprecation, 'content-type': TEXT_TYPE }
  return { status: typeof drawing === 'number' ? drawing : 500, headers, body: `${message}\n` }
}

export const XML_TYPE = 'text/xml; charset=UTF-8'

/** A SOAP fault has status 500, whatever its cause is. */
export function createFaultHandler(namespace: string) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const error = toDomainError(thrown, request)
    recordRefusal(request, error, findCode(error))
    citeRules(reply, error)
    if (error instanceof InjectedFault) return replyAsInjected(error, reply, namespace)
    if (error instanceof SoapFault) {
      return reply.code(500).type(XML_TYPE).send(writeFault(error.faultcode, error.message))
    }
    const drawing = errorMapping[error.code]
    if (typeof drawing === 'number') {
      return reply.code(drawing).type(TEXT_TYPE).send(`${error.message}\n`)
    }
    return reply.code(500).type(XML_TYPE).send(writeServiceFault(drawing, namespace))
  }
}

function findCode(error: DomainError): string | undefined {
  if (error instanceof InjectedFault) return undefined
  if (error instanceof SoapFault) return error.faultcode
  const drawing = errorMapping[error.code]
  return typeof drawing === 'number' ? undefined : String(drawing.errorCode)
}

/** A fault that was defined in the format of another document becomes an unknown error. */
function replyAsInjected({ respond }: InjectedFault, reply: FastifyReply, namespace: string) {
  const wanted = 'fault' in respond ? respond.fault : -1
  const drawing = [MISSING, INVALID, INVALID_SECRET, EXPIRED].find(({ errorCode }) => errorCode === wanted) ?? UNKNOWN
  const status = 'status' in respond ? respond.status : 500
  return reply.code(status).type(XML_TYPE).send(writeServiceFault(drawing, namespace))
}

function writeServiceFault({ errorCode, errorMessage }: ServiceError, namespace: string): string {
  const children = `<errorCode>${errorCode}</errorCode><errorMessage>${errorMessage}</errorMessage>`
  const name = 'ns2:WebServiceException'
  return writeFault('Server', errorMessage, `<${name} xmlns:ns2="${escapeXml(namespace)}">${children}</${name}>`)
}

function writeFault(faultcode: string, faultstring: string, detail?: string): string {
  const content = `<faultcode>soap:${faultcode}</faultcode><faultstring>${escapeXml(faultstring)}</faultstring>`
  return writeEnvelope(`<soap:Fault>${content}${detail ? `<detail>${detail}</detail>` : ''}</soap:Fault>`)
}
