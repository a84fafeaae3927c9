import * as z from 'zod'
import type { RequestDraft } from './example.ts'

/** Response schema of operations that return 204 without a body. */
export const noContent = z.undefined().describe('No content')

/** For operations whose body is a multipart form (RFC 7578) that contains one file. The file becomes `body[field]`. */
export interface FileForm {
  field: string
  sizeLimit: number
}

/** One message for any invalid input, or one per missing parameter: `{ 'query.subType': 'missing subType' }`. */
type InputSummary = string | Readonly<Record<string, string>>

export interface OperationContract {
  /** Method and path, with parameters in the syntax of Fastify: `GET /stg/us/dealer/tickets/:id`. */
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
  /** Schema of the body of a 200 response. `noContent` means that the status is 204. */
  reply: z.ZodType
  /** Includes 204 if the response may be empty, and 201 if the document declares it with the same body as 200. */
  otherStatuses?: readonly number[]
  /** Schema of error bodies, if it differs from that of the API. */
  otherErrors?: z.ZodType
  /** Descriptions of statuses in the document. They replace the default descriptions. */
  words?: Readonly<Record<number, string>>
  /** Maximum size of the body in bytes. Default: 1 MiB. */
  bodyLimit?: number
  /** Whether the domain function validates the input, for example if a document defines the order of checks. */
  validatesItself?: boolean
  /** Whether null and empty body fields count as values. By default, they count as absent. */
  keepsEmpty?: boolean
  keepsNull?: readonly string[]
  /** Names of body fields, at any depth, whose content may include null and empty values. */
  keepsUnchanged?: readonly string[]
  invalidInput?: InputSummary
  /** Whether a GET route also supports HEAD. Default: true. */
  headRoute?: boolean
  example?: RequestDraft
  /** True for a part of another operation. The journal, faults and OpenAPI have no separate name for such a part. */
  unlisted?: boolean
}

export interface Heading<Scope extends string> {
  scope: Scope
  tag: string
  /** Additional path prefixes with which every route is available. */
  dialects?: readonly string[]
  /** Whether due status changes are applied before the operations run. Needs the choice `ticket-progress: auto`. */
  awaitsProgress?: boolean
}

/** The keys are operation numbers from document 1, or operation names. */
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
