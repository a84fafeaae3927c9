import type { FastifyRequest } from 'fastify'
import type { DomainError } from '../domain/errors.ts'

/** What a route says of itself, made once. */
export interface RouteNotes {
  url: string
  operation: number | string | undefined
}

/** What is learnt of a request on its road, for its log line and the journal. */
export interface RequestNotes {
  /** Why it was refused. */
  refusal: DomainError | undefined
  /** The refusal's code as it was answered, in a dialect that is not the JSON error body's. */
  refusalCode: string | undefined
  /** An operation that only the body tells, such as a SOAP call's. */
  operation: string | undefined
  /** Who called, where it is not document 1's identity. */
  caller: string | undefined
  /** The body as it was sent: what the request holds of it later is what the route's schema made of it. */
  sent: unknown
  /** The reply's text. */
  reply: string | undefined
  /** The route it was for; asking Fastify for it builds a new object every time. */
  route: RouteNotes | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    notes: RequestNotes
  }
}

/** The notes of a request; requests that never reached the root hooks have none, and what is noted of them is lost. */
export function notesOf(request: FastifyRequest): RequestNotes {
  return request.notes ?? newNotes()
}

/** Number or name of the operation that was asked for, also when the request was stopped before its route. */
export function operationOf(request: FastifyRequest): number | string | undefined {
  const { operation, route } = notesOf(request)
  return operation ?? (route ? route.operation : request.routeOptions.config?.operation)
}

/** All fields from the start: requests stay of one shape, which V8 reads fastest. */
export function newNotes(): RequestNotes {
  return {
    refusal: undefined,
    refusalCode: undefined,
    operation: undefined,
    caller: undefined,
    sent: undefined,
    reply: undefined,
    route: undefined,
  }
}

export function noteRefusal(request: FastifyRequest, error: DomainError, code?: string): void {
  const notes = notesOf(request)
  notes.refusal = error
  notes.refusalCode = code
}
