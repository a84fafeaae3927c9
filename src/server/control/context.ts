import type { RouteDescription } from '../http/openapi/operation.ts'
import type { Heading, OperationContract } from '#contract/operation.ts'
import { type Handlers, type Operation, toOperations } from '../http/operations.ts'
import type { JobQueue } from '../ports/job-queue.ts'
import type { Worlds } from '../ports/worlds.ts'

type Contracts = Readonly<Record<string, OperationContract & Heading<'control'> & { operation?: number | string }>>

/** Combines the contracts with one handler for each operation. TypeScript reports an error if a handler is missing. */
export function implementControl<Declared extends Contracts>(
  contracts: Declared,
  handlers: Handlers<undefined, Declared>,
): Operation<undefined>[] {
  return toOperations<undefined, Declared>(contracts, handlers)
}

/** Called only for requests that have access to the control API. Tool calls that do not specify a world use `world`. */
export type AnswerMcp = (request: Request, given: { body: unknown; world: string }) => Promise<Response>

export interface ControlContext {
  worlds: Worlds
  jobs: JobQueue
  version: string
  answerMcp?: AnswerMcp
  vendorRoutes: readonly RouteDescription[]
}
