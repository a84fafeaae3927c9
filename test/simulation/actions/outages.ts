import type { ActContext } from './act.ts'
import { comeBack, emitSome, findRival, openAny, openRival, pickStream, subscribe } from './events.ts'
import type { Chance } from '../environment/chance.ts'
import type { Run } from '../checks/run.ts'
import { NOBODY } from '../environment/scheduler.ts'
import type { ClientStream } from '../checks/client-stream.ts'

export interface StreamFault {
  name: string
  weight: number
  run(run: Run, chance: Chance): void
}

function end(run: Run, chance: Chance): void {
  const place = chance.of(run.cluster.places)
  const { life } = place
  if (!life) return
  run.problem()
  run.cluster.end(place)
  run.hangUp(life)
  markGaps(run)
  run.scheduler.in(chance.below(3000), () => run.cluster.start(place), { owner: NOBODY })
}

/**
 * Returns a live stream, which is opened if necessary. Audits are postponed, because an audit would end what the caller
 * does with the stream.
 */
async function findStream(run: Run, chance: Chance) {
  const context = { run, chance, world: run.worlds.get('default')! }
  run.quietUntil = Math.max(run.quietUntil, run.scheduler.now + QUIET)
  for (let tries = 0; !pickStream(context) && tries < MOST_TRIES; tries++) {
    await openAny(context)
    await new Promise<void>((resolve) => run.scheduler.in(RETRY, resolve, { owner: NOBODY }))
  }
  return pickStream(context)
}

/** Causes a problem while the client of a stream is disconnected. */
async function behind(run: Run, chance: Chance, problem: (context: LiveContext) => void | Promise<void>) {
  const live = await findStream(run, chance)
  if (live) await comeBack(live, async (context) => void (run.isAuditing || (await problem(context))))
}

type LiveContext = ActContext & { stream: ClientStream }

/**
 * Restarts an instance while a client is disconnected, to find out whether the new process reuses event numbers that
 * clients already know from the old one.
 */
function endUnnoticed(run: Run, chance: Chance): void {
  const restart = async ({ stream, ...context }: LiveContext) => {
    end(run, chance)
    for (let tries = 0; run.cluster.up.length === 0 && tries < MOST_TRIES; tries++)
      await new Promise<void>((resolve) => run.scheduler.in(RETRY, resolve, { owner: NOBODY }))
    await emitSome(context, stream.subscription.devices, chance.below(MOST_EVENTS))
  }
  watch(run, behind(run, chance, restart))
}

/** Maximum number of retries, and milliseconds between them. */
const MOST_TRIES = 10
const RETRY = 700
const MOST_EVENTS = 16
const QUIET = 15_000

/** From now on, streams may report a gap. */
function markGaps(run: Run): void {
  for (const { model, others } of run.worlds.values()) for (const each of [model, ...others]) each.gapCause = run.tick()
}

/**
 * Milliseconds within which other instances take over the streams of an isolated instance, and within which this
 * instance notices it.
 */
const LONG = 40_000

const forAWhile = (begin: (run: Run, chance: Chance) => () => void) => (run: Run, chance: Chance) => {
  const fix = begin(run, chance)
  const heal = () => {
    run.problem()
    fix()
  }
  run.scheduler.in(chance.once(4) ? LONG : 100 + chance.below(15_000), heal, { owner: NOBODY })
}

const pause = forAWhile(({ cluster }, chance) => {
  const { life } = chance.of(cluster.places)
  if (life) life.isPaused = life.wasPaused = true
  return () => {
    if (life) life.isPaused = false
  }
})

const cut = forAWhile(({ cluster }, chance) => {
  const place = chance.of(cluster.up.length > 0 ? cluster.up : cluster.places)
  const { life } = place
  if (life) cluster.cut(place)
  return () => {
    if (life) cluster.cutOff.delete(life)
  }
})

const stopDatabase = forAWhile(({ cluster }) => {
  cluster.database.isUp = false
  cluster.restartDatabase()
  return () => {
    cluster.database.isUp = true
  }
})

const failDatabase = forAWhile(({ cluster }, chance) => {
  cluster.database.failEvery = 2 + chance.below(30)
  return () => {
    cluster.database.failEvery = 0
  }
})

const fillDisk = forAWhile(({ cluster }) => {
  cluster.disk.isFull = true
  return () => {
    cluster.disk.isFull = false
  }
})

const failDisk = forAWhile(({ cluster }, chance) => {
  cluster.disk.failEvery = 2 + chance.below(6)
  return () => {
    cluster.disk.failEvery = 0
  }
})

function restartDatabase(run: Run): void {
  run.problem()
  run.cluster.restartDatabase()
}

/** Clients that were disconnected during the restart must not miss any events. */
function restartDatabaseUnnoticed(run: Run, chance: Chance): void {
  const restart = async ({ stream, ...context }: LiveContext) => {
    await emitSome(context, stream.subscription.devices, 1 + chance.below(4))
    if (!run.isAuditing) restartDatabase(run)
  }
  watch(run, behind(run, chance, restart))
}

/** Clients that were disconnected when events were removed must be notified that they missed events. */
function forgetEventsUnnoticed(run: Run, chance: Chance): void {
  const forget = async ({ stream, ...context }: LiveContext) => {
    await emitSome(context, stream.subscription.devices, 1 + chance.below(4))
    if (run.isAuditing) return
    markGaps(run)
    run.cluster.database.log.trim()
  }
  watch(run, behind(run, chance, forget))
}

/**
 * If an instance is isolated, its clients connect to other instances. These take over its streams after its lease has
 * expired.
 */
function cutOffStreams(run: Run, chance: Chance): void {
  watch(run, cutOffAStream(run, chance))
}

async function cutOffAStream(run: Run, chance: Chance): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const live = await findStream(run, chance)
    if (!live || run.isAuditing) return
    if (findRival(live, live.stream.subscription)) return cutOff(live)
    await subscribe(live, live.stream.subscription.token)
  }
}

function cutOff(live: LiveContext): void {
  const { run, stream } = live
  const { subscription, place } = stream
  const life = place.life!
  run.cluster.cut(place)
  run.quietUntil = run.scheduler.now + 30_000
  const fix = () => {
    run.problem()
    run.cluster.cutOff.delete(life)
  }
  run.scheduler.in(LONG, fix, { owner: NOBODY })
  const turn = () => {
    if (run.cluster.cutOff.has(life)) watch(run, openRival(live, subscription))
  }
  for (const after of [6000, 7000, 8000, 9000]) run.scheduler.in(after, turn, { owner: NOBODY })
}

function watch(run: Run, act: Promise<void>): void {
  act.catch((error: unknown) => {
    run.found ??= error
  })
}

export const ofDisk: readonly StreamFault[] = [
  { name: 'kill the process', weight: 3, run: end },
  { name: 'kill the process behind a client', weight: 3, run: endUnnoticed },
  { name: 'fill the disk', weight: 2, run: fillDisk },
  { name: 'let the disk fail', weight: 2, run: failDisk },
]

export const ofShared: readonly StreamFault[] = [
  { name: 'kill an instance', weight: 3, run: end },
  { name: 'pause an instance', weight: 2, run: pause },
  { name: 'cut an instance off', weight: 2, run: cut },
  { name: 'cut an instance with streams off', weight: 3, run: cutOffStreams },
  { name: 'restart the database', weight: 1, run: restartDatabase },
  { name: 'restart the database behind a client', weight: 2, run: restartDatabaseUnnoticed },
  { name: 'forget events behind a client', weight: 2, run: forgetEventsUnnoticed },
  { name: 'stop the database', weight: 1, run: stopDatabase },
  { name: 'let the database fail', weight: 2, run: failDatabase },
]
