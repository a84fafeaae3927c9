import type { Engine, WorldStorage } from '../engine.ts'

export interface Meeting {
  ping(): Promise<void>
  /** Resolves when the others have taken the change up, or have had time enough. */
  tell(): Promise<void>
}

/**
 * Nothing changes while the others cannot be told. Moves of a clock are told here; whoever makes or ends worlds tells
 * of those.
 */
export function shareEngine(engine: Engine, { ping, tell }: Meeting): Engine {
  const share = (storage: WorldStorage): WorldStorage => ({
    ...storage,
    store: {
      ...storage.store,
      async ping() {
        await Promise.all([storage.store.ping(), ping()])
      },
    },
    async saveClock(clock, moves) {
      const other = await storage.saveClock(clock, moves)
      // The change is kept, so an instance that is not told finds it by looking.
      if (!other) await tell().catch(() => {})
      return other
    },
    async discard() {
      await ping()
      await storage.discard()
    },
  })
  return {
    list: () => engine.list(),
    open: async (name, id) => share(await engine.open(name, id)),
    async create(record, content, how) {
      await ping()
      const storage = await engine.create(record, content, how)
      return storage && share(storage)
    },
    close: () => engine.close(),
  }
}
