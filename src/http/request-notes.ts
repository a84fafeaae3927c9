import type { FastifyRequest } from 'fastify'
import type { DomainError } from '../domain/errors.ts'

/** What is learnt of a request on its road, for its log line and the journal. */
export interface RequestNotes {
  /** Why it was refused. */
  refusal?: DomainError
  /** An operation that only the body tells, such as a SOAP call's. */
  operation?: string
  /** Who called, where it is not document 1's identity. */
  caller?: string
  /** The body's text, where what was parsed of it would say little. */
  text?: string
  /** The reply's text. */
  reply?: string
}

const notes = new WeakMap<FastifyRequest, RequestNotes>()

export function notesOf(request: FastifyRequest): RequestNotes {
  let found = notes.get(request)
  if (!found) {
    found = {}
    notes.set(request, found)
  }
  return found
}

export function noteRefusal(request: FastifyRequest, error: DomainError): void {
  notesOf(request).refusal = error
}
