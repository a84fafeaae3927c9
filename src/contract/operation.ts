import * as z from 'zod'
import type { RequestDraft } from './example.ts'

/** Response schema of an operation without a response body (204). */
export const noContent = z.undefined().describe('No content')

/** The body is a multipart form (RFC 7578) with one file, which becomes `body[field]`. */
export interface FileForm {
  field: string
  sizeLimit: number
}

/** Message for all invalid input, or for each missing parameter: `{ 'query.subType': 'missing subType' }`. */
type InputSummary = string | Readonly<Record<string, string>>

export interface OperationContract {
  /** With parameters in Fastify's syntax: `GET /stg/us/dealer/tickets/:id`. */
  route: `${'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'DELETE'} ${string}`
  summary?: string
  description?: string
  params?: z.ZodType
  query?: z.ZodType
  headers?: z.ZodObject
  body?: z.ZodType
  optionalBody?: boolean
  form?: FileForm
  consumes?: readonly string[]
  produces?: readonly string[]
  /** Body of a 200 response. `noContent` means 204. */
  reply: z.ZodType
  /** Errors, 204 for an empty response, and 201 if a document declares it with the body of 200. */
  otherStatuses?: readonly number[]
  /** Body of errors if it differs from that of the API. */
  otherErrors?: z.ZodType
  /** Descriptions of statuses in the document, instead of the default ones. */
  words?: Readonly<Record<number, string>>
  /** Maximum body size in bytes. Default: 1 MiB. */
  bodyLimit?: number
  /** The domain function validates the input, for example in an order that a document defines. */
  validatesItself?: boolean
  /** Null and empty body fields are values. By default they count as absent. */
  keepsEmpty?: boolean
  /** Body fields in which null is a value. */
  keepsNull?: readonly string[]
  /** Body fields, at any depth, in whose content null and empty values are values. */
  keepsUnchanged?: readonly string[]
  invalidInput?: InputSummary
  /** Whether a GET route also has HEAD. Default: true. */
  headRoute?: boolean
  example?: RequestDraft
  /** Part of another operation: not named in journal, faults and OpenAPI. */
  unlisted?: boolean
}

export interface Heading<Scope extends string> {
  scope: Scope
  tag: string
  /** Additional path prefixes of every route. */
  dialects?: readonly string[]
  /** With `ticket-progress`, due status changes are applied before the operations run. */
  awaitsProgress?: boolean
}

/** Keys are operation numbers of document 1, or names. */
export type Operations<Scope extends string, Contracts extends Readonly<Record<number | string, OperationContract>>> = {
  readonly [Name in keyof Contracts]: Contracts[Name] &
    Heading<Scope> &
    (Contracts[Name] extends { unlisted: true } ? object : { operation: Name })
}

export function defineOperations<
  Scope extends string,
  const Contracts extends Readonly<Record<number | string, OperationContract>>,
>(heading: Heading<Scope>, contracts: Contracts): Operations<Scope, Contracts> {
  const named = Object.entries(contracts).map(([name, contract]) => {
    const operation = /^\d+$/.test(name) ? Number(name) : name
    return [name, { ...heading, ...(!contract.unlisted && { operation }), ...contract }]
  })
  return Object.fromEntries(named) as Operations<Scope, Contracts>
}
