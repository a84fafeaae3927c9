interface BatchOptions {
  lanes: number
  largest: number
  /**
   * Whether to wait until the end of the event-loop tick, so that all items of the tick form one batch. This is useful
   * if each batch costs a round trip.
   */
  gathers?: boolean
}

/**
 * Returns a function that adds an item to the next batch. At most `lanes` batches run in parallel. Items that arrive in
 * the meantime form the next batches, each of at most `largest` items. `run` must not reject.
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
