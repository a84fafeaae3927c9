import type { Chance } from '../environment/chance.ts'
import type { Reply } from './reply.ts'
import type { Run } from './run.ts'
import { NOBODY, START } from '../environment/scheduler.ts'
import { findDifference, forgetStreams, checkWhole, readSnapshot, rebuild, type Snapshot, timeIn } from './snapshot.ts'
import { Span, violated } from './span.ts'
import type { ClientStream } from './client-stream.ts'
import type { WorldState } from './world-model.ts'

/** Maximum number of steps of an audit. If an audit takes more steps, it hangs. */
const MOST_STEPS = 6000
/** Milliseconds after which instances have synchronized their shared data. */
const SHARED_REST = 3000
const TROUBLED_REST = 16_000

/**
 * Repairs all failures, waits until no request is pending, and compares the state of the server with what clients know.
 */
export async function audit(run: Run, chance: Chance): Promise<void> {
  const { cluster, scheduler } = run
  const { impatience } = scheduler
  const { loseEvery } = run
  const wasTroubled = run.hasProblem
  scheduler.impatience = run.loseEvery = 0
  run.isAuditing = true
  cluster.heal()
  for (const stream of run.streams) if (stream.socket.isSlow) stream.readOn()
  const rest = cluster.ground === 'shared' ? (wasTroubled ? TROUBLED_REST : SHARED_REST) : wasTroubled ? 1000 : 0
  // A process numbers its events from its start time, so a new process must not start in the same millisecond in which
  // the old one ended.
  for (const place of cluster.down) scheduler.in(1, () => cluster.start(place), { owner: NOBODY })
  await pump(run, async () => cluster.up.length === cluster.places.length && run.inFlight === 0)
  const until = scheduler.now + rest
  await pump(run, async () => scheduler.now >= until && (scheduler.isIdle || cluster.ground === 'shared'))
  await auditWorlds(run, chance)
  for (const stream of run.streams) {
    if (stream.isLive) await checkStream(run, chance, stream)
    else if (stream.endedAt !== undefined) run.streams.delete(stream)
  }
  checkTokens(run)
  Object.assign(scheduler, { impatience })
  run.loseEvery = loseEvery
  run.isAuditing = false
}

async function pump(run: Run, isDone: () => Promise<boolean>): Promise<void> {
  for (let steps = 0; !(await isDone()); steps++) {
    if (run.found) throw run.found
    if (steps > MOST_STEPS) violated('6 no hang', `calls are not answered: ${[...run.waiting]}`)
    await run.scheduler.step()
  }
}

async function get(run: Run, chance: Chance, world: string, url: string, up = run.cluster.up): Promise<Reply> {
  const found: Reply[] = []
  const asked = run.send(chance, world, { method: 'GET', url }, up).then((answer) => answer && found.push(answer))
  asked.catch((error: unknown) => {
    run.found ??= error
  })
  await pump(run, async () => found.length > 0)
  return found[0]!
}

async function auditWorlds(run: Run, chance: Chance): Promise<void> {
  for (const place of run.cluster.up) {
    const { text } = await get(run, chance, 'default', '/_control/worlds')
    const names = new Set((JSON.parse(text) as { items: { name: string }[] }).items.map(({ name }) => name))
    const window = { call: run.tick(), ret: run.tick() }
    for (const { name, span } of run.worlds.values()) {
      if (span.wasSure(window) && !names.has(name))
        violated('1 acknowledged is kept', `world ${name} is lost at ${place.number}`)
      if (!span.wasPossible(window) && names.has(name))
        violated('1 acknowledged is kept', `world ${name} is there again`)
    }
    for (const name of names) if (!run.worlds.has(name)) violated('worlds are apart', `world ${name} is from nowhere`)
    for (const world of run.worlds.values()) {
      if (names.has(world.name)) continue
      world.span = new Span(window)
      world.span.ends({ call: window.call, ret: -1 })
    }
  }
  for (const world of run.worlds.values()) {
    const tick = run.tick()
    if (!world.span.wasPossible({ call: tick, ret: tick })) continue
    const { status, text } = await get(run, chance, world.name, '/_control/snapshot')
    if (status !== 200)
      violated('1 acknowledged is kept', `the snapshot of ${world.name}: ${status} ${text.slice(0, 300)}`)
    const snapshot = readSnapshot(text)
    const now = timeIn(snapshot, run.scheduler.now)
    settle(run, world, snapshot, Math.max(0, now - START - run.scheduler.now))
    checkTimes(run, world, now)
  }
}

function checkTimes(run: Run, world: WorldState, now: number): void {
  if (world.model.wasMoved) return
  for (const stream of run.streams) {
    const { overAt } = stream.subscription.token
    if (stream.isLive && stream.world === world && overAt < now)
      violated('12 a token that is over ends its stream', world.name)
  }
}

async function checkStream(run: Run, chance: Chance, stream: ClientStream): Promise<void> {
  const { world, subscription, chain, call, openedAt = 0, place } = stream
  const { name, model } = world
  const where = `stream of ${subscription.subscriptionId} in ${name}`
  const now = run.worlds.get(name)
  // Worlds with the same seed generate the same IDs. A request for a deleted world may therefore open a stream in a
  // new world of this name, if the new world is a fork of another world with the subscription.
  const isOfNewWorld = now !== undefined && now !== world && openedAt > world.span.mayTo
  if ((now !== world && !isOfNewWorld) || openedAt < (now?.remadeAt ?? 0))
    violated('streams end with their world', where)
  if (isOfNewWorld || call < world.remadeAt) {
    // The stream was requested before a change of the world, so it may belong to the old or the new world.
    const { text } = await get(run, chance, name, '/_control/streams', [place])
    if (!text.includes(subscription.subscriptionId)) violated('streams end with their world', where)
  }
  if (isOfNewWorld) return
  const known = model.subscriptions.find(({ subscriptionId }) => subscriptionId === subscription.subscriptionId)
  if (!known) violated('streams end with their subscription', where)
  if (!model.tokens.some(({ accessToken }) => accessToken === subscription.token.accessToken))
    violated('12 a token that is over ends its stream', where)
  if (known.chain !== chain) return
  const from = Math.max(chain.from, known.devicesFrom)
  for (const { value, deviceId, call } of model.emissions.values()) {
    if (call <= from || !known.devices.includes(deviceId) || chain.seen.has(value)) continue
    violated('3 each event reaches each stream', `event ${value} of ${deviceId} is missing on the ${where}`)
  }
}

function checkTokens(run: Run): void {
  const holders = [...run.streams]
    .filter((each) => each.isLive)
    .map(({ world, subscription }) => `${world.name} ${subscription.token.accessToken}`)
  if (new Set(holders).size < holders.length) violated('2 one stream a token', holders.join(', '))
}

/**
 * Updates the model of an idle world from its snapshot. Reports a violation if the snapshot contradicts what clients
 * know.
 */
export function settle(run: Run, world: WorldState, snapshot: Snapshot, ahead: number): void {
  const window = { call: run.tick(), ret: run.tick() }
  checkWhole(snapshot, world.name)
  const differences = [world.model, ...world.others].map((model) => findDifference(model, snapshot, window))
  if (!world.isUnknown && !differences.includes(undefined)) {
    violated('1 acknowledged is kept', `${differences.join('; or else ')}, in ${world.name} at rest`)
  }
  const chosen = [world.model, ...world.others][Math.max(0, differences.indexOf(undefined))]!
  const isRemade = world.others.length > 0
  world.model = rebuild(chosen, snapshot, window.ret, ahead)
  if (isRemade) forgetStreams(world.model, window.ret)
  // This may be a fork of a world whose clock was changed.
  if (world.isUnknown) Object.assign(world.model, { wasMoved: true, wasSetBack: true })
  world.span = new Span(window, window.ret)
  Object.assign(world, { others: [], isUnknown: false, epoch: world.epoch + 1 })
}
