import type { FastifyContextConfig } from 'fastify'
import { errorBody } from '../http/json-errors.ts'
import type { ZodApp } from '../http/zod.ts'

/** A room's routes, registered in the scope that says who may call them. */
export type SupportRoutes = (app: SupportApp) => void
export type SupportApp = ZodApp

/** Operations whose row declares 201 beside 200; both would say the same, and 200 is what is answered. */
const ALSO_201: readonly number[] = [3, 4, 7, 8, 9, 13, 14, 15, 22, 23, 26, 33]

/** Operations whose row has the body as optional; all of them need one here (our choice). */
const OPTIONAL_BODY: readonly number[] = [4, 15, 22, 26, 33]

/** Document 1, section 7: what a status means where it has words of its own. */
const WORDS: Readonly<Record<number, Readonly<Record<number, string>>>> = {
  4: { 400: 'invalid customer feedback' },
  16: { 404: 'schedule not found' },
  18: { 400: 'missing subType' },
  22: { 400: 'invalid customer feedback' },
  24: { 404: 'device not found' },
  25: { 404: 'schedule not found' },
  27: { 400: 'missing subType' },
  30: { 400: 'invalid zip code' },
  32: { 404: 'user not found' },
}

/** Row of document 1's operation table, and what its refused input is called. */
export function operation(number: number, invalidInput?: string): FastifyContextConfig {
  return {
    operation: number,
    source: `document 1, operation ${number}`,
    alsoDeclared: ALSO_201.includes(number) ? [201] : [],
    optionalBody: OPTIONAL_BODY.includes(number),
    words: WORDS[number] ?? {},
    ...(invalidInput ? { invalidInput } : {}),
  }
}

/** Meta data of a parameter that the interface has as optional and an answer needs all the same. */
export const demanded = { requiredBy: 'our choice', optionalInDocument: true } as const

type DeclaredStatus = 404 | 500 | 503

/**
 * The refusals an operation may answer: 400 for unusable input, 401, 403 and 500 everywhere, and those its row of the
 * table declares besides.
 */
export function refusals(...statuses: DeclaredStatus[]) {
  const declared = Object.fromEntries(statuses.map((status) => [status, errorBody]))
  return { 400: errorBody, 401: errorBody, 403: errorBody, 500: errorBody, ...declared }
}
