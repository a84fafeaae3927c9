import { z } from 'zod'
import type { ExampleRequest, RequestParts } from './example.ts'

/** The reply of an operation that has nothing to say: 204. */
export const noContent = z.undefined().meta({ description: 'No content' })

/** A body that is a multipart form (RFC 7578) with one file, which becomes `body[field]`. */
export interface FileForm {
  field: string
  /** A file has fewer bytes than this. */
  sizeLimit: number
}

/** Of any refused input, or by the parameters that are missing: `{ 'query.subType': 'missing subType' }`. */
export type InputSummary = string | Readonly<Record<string, string>>

/** The input and replies of an operation, and its description; what it does is the server's. */
export interface OperationContract {
  /** As documents list it, with parameters as Fastify writes them: `GET /stg/us/dealer/tickets/:id`. */
  route: `${'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'DELETE'} ${string}`
  summary?: string
  description?: string
  params?: z.ZodType
  query?: z.ZodType
  /** Those that only this operation takes. */
  headers?: z.ZodObject
  body?: z.ZodType
  optionalBody?: boolean
  form?: FileForm
  /** Types of bodies and replies that are not JSON. */
  consumes?: readonly string[]
  produces?: readonly string[]
  /** Of 200; `noContent` makes it 204. */
  reply: z.ZodType
  /** Statuses besides 200: 204 for nothing, 201 where a document declares it with the body of 200, refusals. */
  otherStatuses?: readonly number[]
  /** The meaning of statuses in the document's own words. */
  words?: Readonly<Record<number, string>>
  /** Bytes of the largest body; 1 MiB unless told. */
  bodyLimit?: number
  /** The body is a whole world: as many values as its size has room for. */
  bulk?: boolean
  /** The domain function checks the input itself, in the order its document wants. */
  validatesItself?: boolean
  /** Whether null and empty fields of the body say something; else they count as absent. */
  keepsEmpty?: boolean
  /** Fields of the body whose null says something. */
  keepsNull?: readonly string[]
  /** Fields of the body, at any depth, whose content is taken as it is: null and empty values in it say something. */
  keepsWhole?: readonly string[]
  invalidInput?: InputSummary
  /** Whether HEAD is answered as GET is; it is unless told. */
  headRoute?: boolean
  example?: ExampleRequest
  /** By the status of a refusal, the parts of the example that meet it instead. */
  refused?: Readonly<Record<number, RequestParts>>
  /** It belongs to another and has no name of its own in journal, faults and descriptions. */
  unlisted?: boolean
}

/** Where operations belong: who may call them, and the heading that descriptions have them under. */
export interface Heading<Scope extends string> {
  scope: Scope
  tag: string
  /** Prefixes that all routes are served under too. */
  dialects?: readonly string[]
}

/** Operations of one heading, by the row of document 1's operation table or by their names. */
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
