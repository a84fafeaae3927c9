import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../domain/errors.ts'
import type { Identity } from '../domain/identity.ts'
import { DEFAULT_WORLD, type Ports, type Worlds } from '../ports.ts'
import { watchAnswers, type Witness } from './answers.ts'
import { injectFaults, meetsFaults } from './fault-injection.ts'
import { recordRequest } from './journal/recording.ts'
import type { RequestCounts } from './journal/request-counts.ts'
import { newNotes, operationOf, routeOf } from './request-notes.ts'
import { countHeader } from './input/request-rules.ts'
import { worldNameOf } from './world-path.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the rules need, of the world this request is for. */
    ports: Ports
    /** Who calls document 1; set by the scope of the route. */
    identity: Identity
  }
  interface FastifyContextConfig {
    /** Row of document 1's operation table, or an operation's name. */
    operation?: number | string
    /** Where the route's rules come from, such as `document 1, operation 30`. */
    source?: string
    /** The route's domain function checks the input itself, in the order its document wants. */
    judgesInput?: boolean
    /** The body is a whole world: as many values as its size has room for. */
    bulk?: boolean
    /** Whether the interface has the body as optional. */
    optionalBody?: boolean
    /** What statuses mean in the document's own words. */
    words?: Readonly<Record<number, string>>
    /** Statuses the document declares for the operation with the body of 200, and that we do not answer. */
    alsoDeclared?: readonly number[]
    /** What the error message says first when the input is refused. */
    invalidInput?: string
  }
}

export interface RootOptions {
  worlds: Worlds
  /** Real time in milliseconds, finer than they are, which requests are timed by. */
  timer: () => number
  counts: RequestCounts
  /** Whether requests are journaled, and whether they are logged. */
  journal: boolean
  log: boolean
}

/** What happens to every request, whatever document it belongs to. */
export function addRootHooks(app: FastifyInstance, { worlds, timer, counts, journal, log }: RootOptions): void {
  app.decorateRequest('ports')
  app.decorateRequest('identity')
  app.decorateRequest('notes')

  const witness: Witness = (request, reply, text) => {
    const ms = timer() - request.notes.startedAt
    counts.add(request, reply.statusCode)
    if (journal) recordRequest(request, reply, ms, text)
    if (log) logRequest(request, reply, ms)
  }
  watchAnswers(app, witness)

  app.addHook('onRequest', (request, reply, done) => {
    request.notes = newNotes(timer(), witness)
    reply.header('x-request-id', request.id)
    const name = worldNameOf(request.raw)
    const ports = worlds.find(name)
    // A refusal too needs a world to be answered in.
    request.ports = ports ?? worlds.find(DEFAULT_WORLD)!
    if (request.raw.httpVersionMajor !== 1) throw refusedHttp('only HTTP/1.0 and HTTP/1.1 are taken')
    if (countHeader(request, 'host') > 1) throw refusedHttp('the Host header is given more than once')
    if (ports) enter(ports, request, reply, done)
    else worlds.look(name).then((found) => (found ? enter(found, request, reply, done) : done(unknownWorld())), done)
  })
  app.addHook('preValidation', (request, reply, done) => {
    if (!meetsFaults(request)) done()
    else injectFaults(request, reply, 'read').then(() => reply.sent || done(), done)
  })
}

function enter(ports: Ports, request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
  request.ports = ports
  if (!meetsFaults(request)) done()
  else injectFaults(request, reply, 'arrival').then(() => reply.sent || done(), done)
}

function logRequest(request: FastifyRequest, reply: FastifyReply, ms: number): void {
  const { refusal } = request.notes
  request.log.info(
    {
      method: request.method,
      // The pattern, not the address: keys and tokens may stand in paths and queries.
      route: routeOf(request).url ?? 'unknown',
      operation: operationOf(request),
      status: reply.statusCode,
      ms: Math.round(ms * 100) / 100,
      caller: callerKind(request),
      ...(refusal && { refused: refusal.code, rule: refusal.source }),
    },
    'request',
  )
}

function unknownWorld(): DomainError {
  const message = 'no world of this name; POST /_control/worlds makes one'
  return new DomainError('not-found', message, { source: 'our choice' })
}

function callerKind(request: FastifyRequest): string {
  if (request.identity?.companyId) return 'dealer'
  if (request.identity?.userId) return 'user'
  return request.identity ? 'guest' : 'other'
}

const refusedHttp = (message: string) => new DomainError('malformed', message, { source: 'our choice' })
