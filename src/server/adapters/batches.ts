interface BatchOptions {
  lanes: number
  largest: number
  /** Waits for all items of the event-loop tick. Useful if each batch costs a round trip. */
  gathers?: boolean
}

/** At most `lanes` batches of at most `largest` items run in parallel. `run` must not reject. */
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
