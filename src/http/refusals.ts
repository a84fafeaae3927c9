import type { FastifyRequest } from 'fastify'
import type { DomainError } from '../domain/errors.ts'

const refusals = new WeakMap<FastifyRequest, DomainError>()

/** Remembers why a request was refused, for its log line and the journal. */
export function noteRefusal(request: FastifyRequest, error: DomainError): void {
  refusals.set(request, error)
}

export function refusalOf(request: FastifyRequest): DomainError | undefined {
  return refusals.get(request)
}
