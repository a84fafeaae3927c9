import type { Chance } from './chance.ts'
import type { Run } from './run.ts'
import { NOBODY } from './scheduler.ts'

/** Something that goes wrong around the program, or is mended again. */
export interface Disturbance {
  name: string
  weight: number
  run(run: Run, chance: Chance): void
}

function end(run: Run, chance: Chance): void {
  const place = chance.of(run.cluster.places)
  const { life } = place
  if (!life) return
  run.trouble()
  run.cluster.end(place)
  run.hangUp(life)
  markGaps(run)
  run.scheduler.in(chance.below(3000), () => run.cluster.start(place), { owner: NOBODY })
}

/** Streams may tell of a gap after this. */
function markGaps(run: Run): void {
  for (const { model, others } of run.worlds.values()) for (const each of [model, ...others]) each.gapCause = run.tick()
}

/** Until it is mended, some seconds later. */
const forAWhile = (begin: (run: Run, chance: Chance) => () => void) => (run: Run, chance: Chance) => {
  const mend = begin(run, chance)
  const heal = () => {
    run.trouble()
    mend()
  }
  run.scheduler.in(100 + chance.below(15_000), heal, { owner: NOBODY })
}

const pause = forAWhile(({ cluster }, chance) => {
  const { life } = chance.of(cluster.places)
  if (life) life.isPaused = true
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

const stopRedis = forAWhile(({ cluster }) => {
  cluster.redis.isUp = false
  cluster.restartRedis('nothing')
  return () => {
    cluster.redis.isUp = true
  }
})

const stopDatabase = forAWhile(({ cluster }) => {
  cluster.database.isUp = false
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

function loseRedis(run: Run, chance: Chance): void {
  run.trouble()
  markGaps(run)
  run.cluster.restartRedis(chance.of(['nothing', 'since the last save', 'all'] as const))
}

export const ofDisk: readonly Disturbance[] = [
  { name: 'kill the process', weight: 3, run: end },
  { name: 'fill the disk', weight: 2, run: fillDisk },
  { name: 'let the disk fail', weight: 2, run: failDisk },
]

export const ofShared: readonly Disturbance[] = [
  { name: 'kill an instance', weight: 3, run: end },
  { name: 'pause an instance', weight: 2, run: pause },
  { name: 'cut an instance off', weight: 2, run: cut },
  { name: 'stop Redis', weight: 1, run: stopRedis },
  { name: 'restart Redis', weight: 1, run: loseRedis },
  { name: 'save Redis', weight: 1, run: ({ cluster }) => cluster.redis.save() },
  { name: 'stop the database', weight: 1, run: stopDatabase },
  { name: 'let the database fail', weight: 2, run: failDatabase },
]
