import type { Engine, Housing } from './engine.ts'

/** An engine whose other instances are told of every change to worlds and clocks before it counts as done. */
export function shareEngine(engine: Engine, tell: () => Promise<void>): Engine {
  const share = (housing: Housing): Housing => ({
    ...housing,
    async saveClock(clock) {
      await housing.saveClock(clock)
      await tell()
    },
    async discard() {
      await housing.discard()
      await tell()
    },
  })
  return {
    installation: engine.installation,
    list: () => engine.list(),
    open: async (name) => share(await engine.open(name)),
    async create(record, content, how) {
      const housing = await engine.create(record, content, how)
      if (housing) await tell()
      return housing && share(housing)
    },
    close: () => engine.close(),
    abandon: () => engine.abandon(),
  }
}
