import type { Chance } from '../environment/chance.ts'
import type { Asked } from '../environment/exchange.ts'
import type { Reply } from '../checks/reply.ts'
import type { Run } from '../checks/run.ts'
import { type Span, violated } from '../checks/span.ts'
import type { WorldModel, WorldState } from '../checks/world-model.ts'

/**
 * Something that a client does with one or more requests. The responses are checked against the model of what clients
 * know.
 */
export interface Act {
  name: string
  weight: number
  run(context: ActContext): Promise<void>
}

export interface ActContext {
  run: Run
  chance: Chance
  world: WorldState
}

export interface Judgement {
  /**
   * What the request may add. This is added to the model when the request starts. If the request is rejected, `take`
   * removes it again.
   */
  adds?: { to: (model: WorldModel) => void; take: (model: WorldModel) => void } | undefined
  ends?: ((model: WorldModel) => readonly Span[]) | undefined
  /**
   * Checks the response, except for records that the request itself may end. Returns false if the operation was
   * rejected.
   */
  judge: (reply: Reply, model: WorldModel) => boolean
  check?: (reply: Reply, model: WorldModel) => void
}

/**
 * Calls an operation in the world of the act. If the response is lost, or if the world is reset during the request, it
 * is unknown whether the operation was executed.
 */
export async function ask({ run, chance, world }: ActContext, request: Asked, { adds, ends, judge, check }: Judgement) {
  const { epoch } = world
  const tick = run.tick()
  const begin = (model: WorldModel) => {
    adds?.to(model)
    for (const span of ends?.(model) ?? []) span.mayEnd(tick)
  }
  const before = [world.model, ...world.others]
  before.forEach(begin)
  const asked = {
    name: world.name,
    isOver: false,
    begin: (model: WorldModel) => {
      before.push(model)
      begin(model)
    },
  }
  run.asked.add(asked)
  const reply = await run.send(chance, world.name, request)
  // If a new world with the same name is being created, the operation may have been executed there.
  if (run.changing.has(world.name)) asked.isOver = true
  else run.asked.delete(asked)
  const now = run.worlds.get(world.name)!
  if (reply && (reply.isLost || !isSame(run, { world, epoch }, reply) || !world.span.wasPossible(reply))) {
    for (const model of [now.model, ...now.others]) if (!before.includes(model)) begin(model)
    return undefined
  }
  const isGone = reply && isNoWorld(reply)
  if (isGone && world.span.wasSure(reply) && !mayLag(run, reply))
    violated('refusals are justified', `no world ${world.name}: ${reply.text}`)
  const ended = before.flatMap((model) => ends?.(model) ?? [])
  for (const span of ended) span.goesOn(tick)
  if (reply && !isGone && judge(reply, world.model)) {
    for (const span of ended) span.ends({ call: tick, ret: reply.ret })
    check?.(reply, world.model)
  } else for (const model of before) adds?.take(model)
  return isGone ? undefined : reply
}

export function addTo<T>(listOf: (model: WorldModel) => T[] | undefined, value: T) {
  return {
    to: (model: WorldModel) => void listOf(model)?.push(value),
    take: (model: WorldModel) => {
      const list = listOf(model)
      if (list?.includes(value)) list.splice(list.indexOf(value), 1)
    },
  }
}

/**
 * Returns whether the response is from the world to which the request was sent, and whether clients still know that
 * world.
 */
export function isSame(run: Run, { world, epoch }: { world: WorldState; epoch: number }, reply: Reply): boolean {
  const { name, span, others, isUnknown } = world
  // If the world has ended and a new world with its name is being created, the response may be from the new one.
  const mayBeAnother = run.changing.has(name) && !span.wasSure(reply)
  return run.worlds.get(name) === world && world.epoch === epoch && others.length === 0 && !isUnknown && !mayBeAnother
}

export function isNoWorld({ status, text }: Reply): boolean {
  return status === 404 && /world \S+ does not exist|was deleted or reset during the call/.test(text)
}

/** Returns whether the response may be from an isolated instance that does not know the current worlds. */
export function mayLag(run: Run, { text }: Reply): boolean {
  return (
    run.hasProblem && /no world of this name|world \S+ does not exist|was deleted or reset during the call/.test(text)
  )
}

export function unexpected(request: Asked, { status, text }: Reply): never {
  violated('refusals are justified', `${request.method} ${request.url} gave ${status} ${text.slice(0, 400)}`)
}

/** Checks that a rejection is possible according to what clients know. */
export function assertJustified(isJustified: boolean, request: Asked, reply: Reply): false {
  return isJustified ? false : unexpected(request, reply)
}

export const asUser = (name: string) => ({ 'request-source': 'vendor.com', 'vendorus-profId': name })
