interface BatchOptions {
  lanes: number
  largest: number
  /** Whether those who come in one turn go together: worth waiting for where each batch costs a journey. */
  gathers?: boolean
}

/**
 * Gives items to `run`, which must not reject, as soon as one of its lanes is free; what comes while all are busy waits
 * and goes together, at most `largest` at a time.
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
