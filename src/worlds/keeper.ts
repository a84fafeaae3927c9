import type { Engine } from '../adapters/engine.ts'
import { createMemoryBus } from '../adapters/memory/bus.ts'
import { nodeDigests } from '../adapters/node/digests.ts'
import type { Config } from '../config.ts'
import { type Bus, type Clock, UnusableState } from '../ports.ts'

/** What keeps the worlds beyond the process, and what instances meet by. */
export interface Keeper {
  engine: Engine
  /** Whether other instances may change what it keeps. */
  isShared: boolean
  /** The bus of a world; `startedAt` is the instant that its events are numbered from. */
  openBus(world: string, startedAt: number): Promise<Bus & { forget?(): Promise<void> }>
  /** Tells other instances that worlds have changed; resolves when they have taken it up, or have had time enough. */
  tell(): Promise<void>
  /** Calls when another instance has changed worlds or clocks. */
  listen(takeUp: () => Promise<void>): Promise<void>
  close(): Promise<void>
  /** Lets go of it as it is, when a start has failed. */
  abandon(): Promise<void>
}

/** Nothing when worlds live in memory alone. What it takes is loaded only here: most need none of it. */
export async function openKeeper(
  { DATA_DIR, DATABASE_URL, REDIS_URL }: Config,
  real: Clock,
): Promise<Keeper | undefined> {
  if (DATABASE_URL !== undefined) {
    const { createPostgresEngine } = await import('../adapters/postgres/engine.ts')
    const engine = await createPostgresEngine(DATABASE_URL, real)
    return REDIS_URL === undefined ? keepAlone(engine) : keepTogether(engine, REDIS_URL, real)
  }
  if (DATA_DIR === undefined) return undefined
  const { createDiskEngine } = await import('../adapters/disk/engine.ts')
  return keepAlone(await createDiskEngine(DATA_DIR, nodeDigests))
}

function keepAlone(engine: Engine): Keeper {
  return {
    engine,
    isShared: false,
    openBus: async (_world, startedAt) => createMemoryBus(startedAt),
    tell: async () => {},
    listen: async () => {},
    close: () => engine.close(),
    abandon: () => engine.abandon(),
  }
}

async function keepTogether(engine: Engine, url: string, real: Clock): Promise<Keeper> {
  const { RedisLink } = await import('../adapters/redis/link.ts')
  const { RedisControl } = await import('../adapters/redis/control.ts')
  const { openRedisBus } = await import('../adapters/redis/bus.ts')
  const { shareEngine } = await import('../adapters/redis/shared-engine.ts')
  const link = new RedisLink(url, engine.installation)
  try {
    await link.open()
  } catch (error) {
    await link.close()
    await engine.abandon()
    const { cause = error } = error as { cause?: unknown }
    throw new UnusableState(`the Redis server cannot be used: ${(cause as Error).message}`, { cause })
  }
  const control = new RedisControl(link)
  const leave = () => {
    control.close()
    return link.close()
  }
  return {
    engine: shareEngine(engine, { ping: () => link.ping(), tell: () => control.tell() }),
    isShared: true,
    openBus: (world, startedAt) => openRedisBus(link, { world, head: startedAt * 1000, next: () => real.now() * 1000 }),
    tell: () => control.tell(),
    listen: (takeUp) => control.listen(takeUp),
    async close() {
      await leave()
      await engine.close()
    },
    async abandon() {
      await leave()
      await engine.abandon()
    },
  }
}
