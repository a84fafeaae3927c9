import type { Engine, WorldStorage } from '../engine.ts'

export interface Meeting {
  ping(): Promise<void>
  /** Tells the others of a change; resolves when they have taken it up, or have had time enough. */
  tell(): Promise<void>
}

/**
 * An engine that several instances share: nothing is changed that the others could not be told of. Of a clock's moves
 * they are told here, of worlds that come and go by whoever makes them.
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
      // It is kept: who is not told of it now finds it by looking.
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
