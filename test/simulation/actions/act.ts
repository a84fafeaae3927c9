import type { Chance } from '../environment/chance.ts'
import type { Asked } from '../environment/exchange.ts'
import type { Reply } from '../checks/reply.ts'
import type { Run } from '../checks/run.ts'
import { type Span, violated } from '../checks/span.ts'
import type { WorldModel, WorldState } from '../checks/world-model.ts'

/** One client step: a call or more, checked against the model of what clients know. */
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
  /** What the call may add, known from its start. `take` removes it when the call is rejected. */
  adds?: { to: (model: WorldModel) => void; take: (model: WorldModel) => void } | undefined
  /** What the call may end. */
  ends?: ((model: WorldModel) => readonly Span[]) | undefined
  /** Checks a response except for what the call itself may end. Returns false when the operation was rejected. */
  judge: (reply: Reply, model: WorldModel) => boolean
  /** What must be true afterwards. */
  check?: (reply: Reply, model: WorldModel) => void
}

/**
 * Calls an operation in the world of the act. After a lost response, or one during a reset, it is unknown whether the
 * operation ran.
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
  // It may have been done in a world that is just being made, by the same name.
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

/** Adds something to a list of each model that has it. */
export function addTo<T>(listOf: (model: WorldModel) => T[] | undefined, value: T) {
  return {
    to: (model: WorldModel) => void listOf(model)?.push(value),
    take: (model: WorldModel) => {
      const list = listOf(model)
      if (list?.includes(value)) list.splice(list.indexOf(value), 1)
    },
  }
}

/** Whether an answer is of the world that was asked, as clients know it since. */
export function isSame(run: Run, { world, epoch }: { world: WorldState; epoch: number }, reply: Reply): boolean {
  const { name, span, others, isUnknown } = world
  // Where it has ended, and another is being given its name, the answer may be that other's.
  const mayBeAnother = run.changing.has(name) && !span.wasSure(reply)
  return run.worlds.get(name) === world && world.epoch === epoch && others.length === 0 && !isUnknown && !mayBeAnother
}

export function isNoWorld({ status, text }: Reply): boolean {
  return status === 404 && /world \S+ does not exist|was deleted or reset during the call/.test(text)
}

/** Returns whether an isolated instance may not know the current worlds. */
export function mayLag(run: Run, { text }: Reply): boolean {
  return (
    run.hasProblem && /no world of this name|world \S+ does not exist|was deleted or reset during the call/.test(text)
  )
}

export function unexpected(request: Asked, { status, text }: Reply): never {
  violated('refusals are justified', `${request.method} ${request.url} gave ${status} ${text.slice(0, 400)}`)
}

/** For a refusal: what clients know must allow for it. */
export function assertJustified(isJustified: boolean, request: Asked, reply: Reply): false {
  return isJustified ? false : unexpected(request, reply)
}

export const asUser = (name: string) => ({ 'request-source': 'vendor.com', 'vendorus-profId': name })
