import { type Act, type ActContext, assertJustified, isNoWorld, isSame, mayLag, unexpected } from './act.ts'
import type { Asked } from '../environment/exchange.ts'
import { findDifference, forgetStreams, checkWhole, readSnapshot, rebuild } from '../checks/snapshot.ts'
import { Span, violated } from '../checks/span.ts'
import { WorldModel, type WorldState } from '../checks/world-model.ts'

const NAMES = ['wa', 'wb'] as const

const saved = new WeakMap<WorldState, { text: string; epoch: number }>()

/** Only one act at a time may create or delete a world with the same name. */
const alone = (act: (context: ActContext, name: string) => Promise<void>) => async (context: ActContext) => {
  const name = context.chance.of(NAMES)
  const { changing, asked } = context.run
  if (changing.has(name)) return
  changing.add(name)
  await act(context, name)
  changing.delete(name)
  for (const each of asked) if (each.isOver && each.name === name) asked.delete(each)
}

async function createWorld({ run, chance }: ActContext, name: string, isFork = chance.once(2)): Promise<void> {
  const before = run.worlds.get(name)
  const from = isFork ? chance.of([...run.worlds.values()]) : undefined
  const epoch = from?.epoch
  const seed = !from && chance.once(2) ? 'seed' : undefined
  const request: Asked = { method: 'POST', url: '/_control/worlds', payload: { name, from: from?.name, seed } }
  const reply = await run.send(chance, 'default', request)
  if (!reply) return undefined
  if (reply.isLost) {
    const world = before?.span.wasPossible(reply) ? before : run.addWorld(name, new Span(reply))
    world.isUnknown = world.isOriginUnknown = true
    if (!world.span.wasSure(reply)) world.span = new Span(reply)
    return undefined
  }
  if (reply.status === 409) return void assertJustified(before?.span.wasPossible(reply) === true, request, reply)
  const isAsBefore = !from || isSame(run, { world: from, epoch: epoch! }, reply)
  if (reply.status === 404) {
    const isGone = !(isAsBefore && from?.span.wasSure(reply)) || mayLag(run, reply)
    return void assertJustified(from !== undefined && isGone, request, reply)
  }
  if (reply.status !== 200) return unexpected(request, reply)
  if (before?.span.wasSure(reply)) violated('2 a world once', name)
  const world = run.addWorld(name, new Span(reply, reply.ret), from?.model.copied(name, reply))
  if (before) world.model.parents.push(before.model, ...before.others)
  world.origin = from?.model.copied(name, reply)
  world.isOriginUnknown = !isAsBefore
  world.isUnknown ||= world.isOriginUnknown
  return undefined
}

async function deleteWorld({ run, chance }: ActContext, name: string): Promise<void> {
  const world = run.worlds.get(name)
  const tick = run.tick()
  const before = world?.span.wasSure({ call: tick, ret: tick })
  world?.span.mayEnd(tick)
  const request: Asked = { method: 'DELETE', url: `/_control/worlds/${name}` }
  const reply = await run.send(chance, 'default', request)
  if (!reply || reply.isLost || !world) return
  if (reply.status === 404) assertJustified(!before || mayLag(run, reply), request, reply)
  else if (reply.status === 204) world.span.ends(reply)
  else unexpected(request, reply)
}

/**
 * Changes the entire world. Until the response arrives, the world may be in the state before or after the change.
 * Without a response, its state remains unknown.
 */
async function remake({ run, chance, world }: ActContext, request: Asked, after: WorldModel): Promise<void> {
  if (world.others.length > 0 || world.isUnknown) return
  world.epoch++
  world.others.push(after)
  run.beginIn(world.name, after)
  run.remaking.add(world)
  const reply = await run.send(chance, world.name, request)
  run.remaking.delete(world)
  const now = run.worlds.get(world.name)!
  if (now !== world) forgetStreams(now.model, run.tick())
  if (!reply) world.others = []
  if (!reply || reply.isLost || now !== world || world.isUnknown) return
  world.epoch++
  world.others = []
  if (isNoWorld(reply)) return void assertJustified(!world.span.wasSure(reply) || mayLag(run, reply), request, reply)
  if (reply.status >= 300) return unexpected(request, reply)
  world.model = forgetStreams(after, run.tick())
  world.remadeAt = reply.call
  return undefined
}

function reset(context: ActContext): Promise<void> {
  const { name, origin, isOriginUnknown } = context.world
  const tick = context.run.tick()
  const after = origin?.copied(name, { call: tick, ret: tick }) ?? new WorldModel(name)
  return isOriginUnknown ? Promise.resolve() : remake(context, { method: 'POST', url: '/_control/reset' }, after)
}

/** Resets a fork on any instance, regardless of which instance created the fork. */
async function resetFork(context: ActContext, name: string): Promise<void> {
  const { worlds } = context.run
  if (!worlds.get(name)?.origin) await createWorld(context, name, true)
  const fork = worlds.get(name)
  if (fork?.origin) await reset({ ...context, world: fork })
}

async function takeSnapshot({ run, chance, world }: ActContext): Promise<void> {
  const { epoch } = world
  const reply = await run.send(chance, world.name, { method: 'GET', url: '/_control/snapshot' })
  if (reply?.status !== 200) return
  const snapshot = readSnapshot(reply.text)
  checkWhole(snapshot, world.name)
  if (!isSame(run, { world, epoch }, reply)) return
  const difference = findDifference(world.model, snapshot, reply)
  if (difference) violated('1 acknowledged is kept', `${difference}, in a snapshot of ${world.name}`)
  saved.set(world, { text: reply.text, epoch })
}

async function restore(context: ActContext): Promise<void> {
  const { run, world } = context
  const kept = saved.get(world)
  if (!kept || kept.epoch !== world.epoch) return
  const payload = {
    method: 'PUT',
    url: '/_control/snapshot',
    headers: { 'content-type': 'application/json' },
    payload: kept.text,
  } as const
  await remake(context, payload, rebuild(world.model, readSnapshot(kept.text), run.tick(), world.model.ahead))
}

async function moveClock({ run, chance, world }: ActContext): Promise<void> {
  const hours = chance.of([0.01, 0.2, 3])
  const payload = { duration: hours * 3_600_000 }
  const request: Asked = chance.weighted<Asked>([
    [{ method: 'POST', url: '/_control/clock/advance', payload }, 4],
    [{ method: 'PUT', url: '/_control/clock', payload: { frozen: chance.once(2) } }, 2],
    [{ method: 'DELETE', url: '/_control/clock' }, 1],
  ])
  const { name, epoch } = world
  const begin = (model: WorldModel) => {
    if (request.method === 'POST') model.ahead += payload.duration
    model.gapCause = run.tick()
    model.wasMoved = true
    if (request.method === 'DELETE') model.wasSetBack = true
  }
  for (const model of [world.model, ...world.others]) begin(model)
  const asked = { name, begin, movesClock: true }
  run.asked.add(asked)
  const reply = await run.send(chance, name, request)
  run.asked.delete(asked)
  const now = run.worlds.get(name)!
  for (const model of [now.model, ...now.others]) model.gapCause = run.tick()
  if (!reply || reply.isLost || reply.status === 200) return
  const isGone = !(isSame(run, { world, epoch }, reply) && world.span.wasSure(reply)) || mayLag(run, reply)
  assertJustified(isNoWorld(reply) && isGone, request, reply)
}

export const worldActs: readonly Act[] = [
  { name: 'create a world', weight: 5, run: alone(createWorld) },
  { name: 'delete a world', weight: 2, run: alone(deleteWorld) },
  { name: 'reset', weight: 2, run: reset },
  { name: 'reset a fork', weight: 4, run: alone(resetFork) },
  { name: 'take a snapshot', weight: 3, run: takeSnapshot },
  { name: 'restore', weight: 1, run: restore },
  { name: 'move the clock', weight: 2, run: moveClock },
]
