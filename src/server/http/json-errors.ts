import * as z from 'zod'
import type { DomainError, ErrorCode } from '../domain/errors.ts'
import { InjectedFault } from './errors.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** The documents do not specify an error body, so this one is our choice. Statuses follow HTTP. */
export const errorMapping = {
  'invalid-input': [400, 'ConstraintViolationError'],
  'missing-parameter': [400, 'ConstraintViolationError'],
  'invalid-parameter': [400, 'ConstraintViolationError'],
  'invalid-length': [400, 'ConstraintViolationError'],
  'invalid-country': [400, 'ConstraintViolationError'],
  malformed: [400, 'MalformedRequestError'],
  'client-left': [499, 'ClientDisconnected'],
  unauthenticated: [401, 'UnauthorizedError'],
  'invalid-token': [401, 'UnauthorizedError'],
  'expired-token': [401, 'UnauthorizedError'],
  forbidden: [403, 'ForbiddenError'],
  'not-found': [404, 'NotFoundError'],
  'method-not-allowed': [405, 'MethodNotAllowedError'],
  conflict: [409, 'ConflictError'],
  'slot-unavailable': [409, 'SlotUnavailable'],
  'limit-exceeded': [409, 'LimitExceeded'],
  'payload-too-large': [413, 'PayloadTooLargeError'],
  'unsupported-media-type': [415, 'UnsupportedMediaTypeError'],
  'too-many-requests': [429, 'TooManyRequestsError'],
  timeout: [408, 'RequestTimeoutError'],
  'expectation-failed': [417, 'ExpectationFailedError'],
  'headers-too-large': [431, 'HeadersTooLargeError'],
  unavailable: [503, 'ServiceUnavailableError'],
  closing: [503, 'ServiceUnavailableError'],
  internal: [500, 'InternalServerError'],
} as const satisfies Record<ErrorCode, readonly [status: number, code: string]>

export type Statuses = Readonly<Record<ErrorCode, number>>

/** Statuses for document 2a, for the control API, and for paths that do not belong to any document. */
export const httpStatuses = Object.fromEntries(
  Object.entries(errorMapping).map(([code, [status]]) => [code, status]),
) as Statuses

const detail = z.object({
  code: z.string(),
  message: z.string(),
  target: z.string(),
  source: z.string().optional().meta({
    description: 'Violated rule: a place in a document, or our choice, see docs/rules.md',
    example: 'our choice: zip-plus-four',
  }),
  details: z.array(z.any()),
})

export const errorBody = z.object({
  requestId: z.string(),
  error: z.object({ code: z.string(), message: z.string(), details: z.array(detail) }),
})

export function toErrorBody({ code, message, findings }: DomainError, requestId: string) {
  const details = findings.map((finding) => ({
    code: finding.code,
    message: finding.message,
    target: finding.target,
    source: finding.source,
    details: [],
  }))
  return { requestId, error: { code: errorMapping[code][1], message, details } }
}

export type WriteError = (
  error: DomainError,
  requestId: string,
) => { status: number; headers: Readonly<Record<string, string>>; body: string }

export const writeJsonError: WriteError = (error, requestId) => ({
  status: httpStatuses[error.code],
  headers: { 'content-type': JSON_TYPE },
  body: JSON.stringify(toErrorBody(error, requestId)),
})

/** Writes an error for a request with an unknown address, for which the document is therefore also unknown. */
export const writePlainError: WriteError = ({ code, message }) => ({
  status: httpStatuses[code],
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: `${message}\n`,
})

export function wireCodeOf(error: DomainError): string {
  return error instanceof InjectedFault ? 'Fault' : errorMapping[error.code][1]
}
