interface BatchOptions {
  lanes: number
  largest: number
  /** Collects the items of one tick, which pays where each batch costs a round trip. */
  gathers?: boolean
}

/**
 * `run` must not reject. Items that come while all lanes are busy wait and go together, at most `largest` at a time.
 */
export function createBatches<T>(
  { lanes, largest, gathers = true }: BatchOptions,
  run: (batch: readonly T[]) => Promise<void>,
): (item: T) => void {
  const waiting: T[] = []
  let freeLanes = lanes

  async function drain(): Promise<void> {
    freeLanes--
    for (;;) {
      if (gathers) await new Promise(setImmediate)
      const batch = waiting.splice(0, Math.min(largest, Math.ceil(waiting.length / lanes)))
      if (batch.length === 0) break
      await run(batch)
    }
    freeLanes++
  }

  return (item) => {
    waiting.push(item)
    if (freeLanes > 0) void drain()
  }
}
