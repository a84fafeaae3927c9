import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  onRequestHookHandler,
  preValidationHookHandler,
} from 'fastify'
import * as z from 'zod'
import { type FileForm, type Heading, noContent, type OperationContract } from '#contract/operation.ts'
import { SNAPSHOT_TYPE } from '#contract/records/snapshot.ts'
import type { Source } from '#contract/rules.ts'
import { advanceRequests } from '../domain/appointments/lifecycles.ts'
import { portsOfWork } from '../domain/work-ports.ts'
import { DomainError } from '../domain/errors.ts'
import { acceptFileForm } from './input/file-form.ts'
import { compileInput } from './input/input.ts'
import { acceptBytes } from './input/json-body.ts'
import type { OperationDescription } from './openapi/operation.ts'

declare module 'fastify' {
  interface FastifyContextConfig extends Pick<Operation<never>, 'operation'> {
    describe?: () => OperationDescription
    rules?: OperationRules
    /** The rule that is cited for the size and content type of the body. Default: the rules for JSON bodies. */
    bodySource?: Source
  }
  interface FastifyRequest {
    caller: unknown
  }
}

/** Hooks skip routes without rules. */
export interface OperationRules {
  authenticate: (request: FastifyRequest, reply: FastifyReply) => unknown
  takesBody: boolean
  /** Whether the body is parsed as JSON even if it has another content type. */
  anyType: boolean
  form: FileForm | undefined
  awaitsProgress: boolean
  checkInput: (request: FastifyRequest) => void
}

/** Only `run` depends on the schemas, so any operation is assignable to this type. */
export interface Operation<Caller>
  extends OperationContract,
    Pick<Heading<string>, 'scope' | 'tag' | 'awaitsProgress'> {
  /** A number from the table in document 1, or a name. */
  operation?: number | string
  /** Not a method, so that TypeScript checks parameters strictly: dealer operations do not compile for guests. */
  run: (request: RequestContext<Caller, never, never, never>, reply: FastifyReply) => Promise<unknown>
}

export interface RequestContext<Caller, Params = unknown, Query = unknown, Body = unknown>
  extends Omit<FastifyRequest, 'caller' | 'params' | 'query' | 'body'> {
  caller: Caller
  params: Params
  query: Query
  body: Body
}

/** `undefined` becomes 204 if declared. A handler that has sent the response returns the `FastifyReply`. */
type Answer<Reply extends z.ZodType, Status extends number> =
  | Promise<z.input<Reply> | FastifyReply | (204 extends Status ? undefined : never)>
  | (undefined extends z.input<Reply> ? Promise<void> : never)

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
type OtherStatusesOf<Contract extends OperationContract> =
  Contract['otherStatuses'] extends readonly (infer Status extends number)[] ? Status : never

/** A handler makes exactly one call into the domain. */
export type Handler<Caller, Contract extends OperationContract> = (
  request: RequestContext<Caller, Output<Contract['params']>, Output<Contract['query']>, Output<Contract['body']>>,
  reply: FastifyReply,
) => Answer<Contract['reply'], OtherStatusesOf<Contract>>

type Contracts = Readonly<
  Record<number | string, OperationContract & Heading<string> & { operation?: number | string }>
>

export type Handlers<Caller, Declared extends Contracts> = {
  readonly [Name in keyof Declared]: Handler<Caller, Declared[Name]>
}

export function toOperations<Caller, Declared extends Contracts>(
  contracts: Declared,
  handlers: Handlers<Caller, Declared>,
): Operation<Caller>[] {
  return Object.entries(contracts).flatMap(([name, contract]) =>
    ['', ...(contract.dialects ?? [])].map((prefix) => {
      const route = contract.route.replace('/', `${prefix}/`) as typeof contract.route
      return { ...contract, route, run: handlers[name]! }
    }),
  )
}

export interface Scope<Caller> {
  operations: readonly Operation<Caller>[]
  /** Throws if the caller is not authenticated. Runs before any other part of the request is read. */
  authenticate: (request: FastifyRequest, reply: FastifyReply) => Caller | Promise<Caller>
  /** Throws if the caller is not authorized. Runs before the rest of the input is validated. */
  authorize?: (request: RequestContext<Caller>) => void
  /** Returns the rule that requires a parameter. Default: our choice. */
  sourceOf?: (operation: number | string | undefined) => Source
  anyType?: boolean
  knownOnly?: boolean
  /** Error statuses that every operation of the scope may return with `errorBody`. */
  refusals: readonly number[]
  /** Additional error statuses of operations that have a body. */
  bodyRefusals?: readonly number[]
  errorBody: z.ZodType
}

export function addOperations<Caller>(app: FastifyInstance, scope: Scope<Caller>): void {
  for (const operation of scope.operations) {
    const { form } = operation
    const isLines = operation.consumes?.includes(SNAPSHOT_TYPE)
    if (!form && !isLines) addRoute(app, operation, scope)
    else {
      app.register(async (own) => {
        if (form) acceptFileForm(own, form)
        else acceptBytes(own)
        addRoute(own, operation, scope)
      })
    }
  }
}

function addRoute<Caller>(app: FastifyInstance, declared: Operation<Caller>, scope: Scope<Caller>): void {
  const { operation, route, bodyLimit, headRoute = true, run } = declared
  const mayBeEmpty = declared.reply === noContent || declared.otherStatuses?.includes(204)
  const mayCreate = declared.otherStatuses?.includes(201) ?? false
  type Authenticated = RequestContext<Caller, never, never, never>
  const [method, url] = route.split(' ') as [HTTPMethods, string]
  app.route<{ Params: never; Querystring: never; Body: never }>({
    // Fastify would add a second route for HEAD, which would take as much time and memory as the first route.
    method: method === 'GET' && headRoute ? ['GET', 'HEAD'] : method,
    url,
    ...(bodyLimit !== undefined && { bodyLimit }),
    exposeHeadRoute: false,
    config: {
      ...(operation !== undefined && { operation }),
      rules: toRules(declared, scope),
      describe: () => describe(declared, scope),
      ...(declared.consumes?.includes(SNAPSHOT_TYPE) && { bodySource: 'our choice: snapshots' }),
    },
    // Fastify needs only the response schema, because hooks validate the input and error handlers write the errors.
    ...(declared.reply !== noContent && {
      schema: { response: { 200: declared.reply, ...(mayCreate && { 201: declared.reply }) } },
    }),
    // The hooks have already validated the input, so `request` has the declared types.
    handler: async (request, reply) => {
      // Document 1 declares 200 and 201 with the same body. Error responses and 204 set their own status.
      if (mayCreate) reply.code(request.ports.world.choices['created-status'])
      const given = await run(request as Authenticated, reply)
      if (given !== undefined || !mayBeEmpty) return given
      // An awaited `FastifyReply` also resolves to `undefined`.
      return reply.sent ? reply : reply.code(204).send()
    },
  })
}

function describe(
  declared: Operation<never>,
  { refusals, bodyRefusals = [], errorBody }: Pick<Scope<never>, 'refusals' | 'bodyRefusals' | 'errorBody'>,
): OperationDescription {
  const { reply, otherStatuses = [], body, otherErrors } = declared
  const refused = [...refusals, ...(body ? bodyRefusals : []), ...otherStatuses].filter((status) => status >= 400)
  const anyError = otherErrors ? z.union([errorBody, otherErrors]) : errorBody
  return {
    ...declared,
    response: {
      ...(reply === noContent ? {} : { 200: reply }),
      ...(reply === noContent || otherStatuses.includes(204) ? { 204: noContent } : {}),
      ...(otherStatuses.includes(202) && { 202: noContent }),
      ...Object.fromEntries(refused.map((status) => [status, anyError])),
    },
    alsoDeclared: otherStatuses.filter((status) => status === 201),
  }
}

function toRules<Caller>(declared: Operation<Caller>, scope: Scope<Caller>): OperationRules {
  const { operation, params, query, body, form, validatesItself = false, awaitsProgress = false } = declared
  const { authenticate, authorize, anyType = false, knownOnly = false, sourceOf } = scope
  // The operation validates the rest itself. Forbidden property names are rejected in any case.
  const checkAll = compileInput(validatesItself ? { ...(params && { params }) } : declared, {
    source: sourceOf?.(operation),
    knownOnly: knownOnly && !(validatesItself && query),
  })
  return {
    authenticate,
    takesBody: body !== undefined,
    anyType,
    form,
    awaitsProgress,
    checkInput: (request) => {
      authorize?.(request as RequestContext<Caller>)
      checkAll(request)
    },
  }
}

export const authenticateCaller: onRequestHookHandler = (request, reply, done) => {
  const caller = request.context.route.rules?.authenticate(request, reply)
  const enter = (authenticated: unknown) => {
    request.caller = authenticated
    done()
  }
  if (caller instanceof Promise) caller.then(enter, done)
  else enter(caller)
}

/** Rejects compressed bodies, which documents 1 and 2 do not support. */
export const checkBodyType: onRequestHookHandler = ({ context: { route }, raw: { headers } }, _reply, done) => {
  if (!route.rules) return done()
  const { takesBody, anyType } = route.rules
  const type = headers['content-type']
  // Some clients send `application/json` with an empty body. Deleting is slow even for an absent header.
  const isIgnored = !takesBody || (anyType && !TYPE.test(type ?? ''))
  if (type !== undefined && isIgnored) delete headers['content-type']
  const encoding = headers['content-encoding']
  if (takesBody && encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupported-media-type', `content-encoding ${encoding} is not supported`, {
      source: 'our choice: content-types',
    })
  }
  done()
}

/** Fastify itself rejects a header that does not have the form of a media type. */
const TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;|$)/

export const checkInput: preValidationHookHandler = (request, _reply, done) => {
  const { ports, context } = request
  const { rules } = context.route
  rules?.checkInput(request)
  if (!rules?.awaitsProgress || ports.world.choices['ticket-progress'] === 'off') return done()
  // In a recorded world, due status changes use the clock and randomness of the recording.
  advanceRequests(portsOfWork(ports)).then(() => done(), done)
}
