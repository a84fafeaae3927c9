import * as z from 'zod'
import type { RequestDraft } from './example.ts'

/** 204 says that the operation has nothing to answer. */
export const noContent = z.undefined().meta({ description: 'No content' })

/** RFC 7578: the body is a form with one file, which becomes `body[field]`. */
export interface FileForm {
  field: string
  /** A file has fewer bytes than this. */
  sizeLimit: number
}

/** One message for any refused input, or one by each missing parameter: `{ 'query.subType': 'missing subType' }`. */
type InputSummary = string | Readonly<Record<string, string>>

/** A contract says what comes and goes; what the operation does is the server's. */
export interface OperationContract {
  /** Parameters stand as Fastify writes them: `GET /stg/us/dealer/tickets/:id`. */
  route: `${'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'DELETE'} ${string}`
  summary?: string
  description?: string
  params?: z.ZodType
  query?: z.ZodType
  /** Only this operation takes these headers. */
  headers?: z.ZodObject
  body?: z.ZodType
  optionalBody?: boolean
  form?: FileForm
  /** Needed only for types other than JSON. */
  consumes?: readonly string[]
  produces?: readonly string[]
  /** The reply of 200; `noContent` makes it 204. */
  reply: z.ZodType
  /** Statuses besides 200: 204 for nothing, 201 where a document declares it with the body of 200, refusals. */
  otherStatuses?: readonly number[]
  /** Errors of another protocol have this body; others have that of the interface. */
  otherErrors?: z.ZodType
  /** A document's own words take the place of the usual meaning. */
  words?: Readonly<Record<number, string>>
  /** Bytes of the largest body; 1 MiB unless told. */
  bodyLimit?: number
  /** The domain function checks the input itself, in the order its document wants. */
  validatesItself?: boolean
  /** Null and empty fields of the body are values; without this they count as absent. */
  keepsEmpty?: boolean
  /** Fields of the body whose null says something. */
  keepsNull?: readonly string[]
  /** Fields of the body, at any depth, whose content is taken as it is: null and empty values in it say something. */
  keepsWhole?: readonly string[]
  invalidInput?: InputSummary
  /** HEAD is answered as GET is, unless this is false. */
  headRoute?: boolean
  example?: RequestDraft
  /** The operation belongs to another, so journal, faults and descriptions do not name it. */
  unlisted?: boolean
}

/** All operations of a heading share their scope and stand under it in descriptions. */
export interface Heading<Scope extends string> {
  scope: Scope
  tag: string
  /** Every route is served under these prefixes too. */
  dialects?: readonly string[]
  /** The operations read requests that the clock moves (`ticket-progress`), so those move first. */
  awaitsProgress?: boolean
}

/** Operations have the number of document 1's table, or a name. */
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
