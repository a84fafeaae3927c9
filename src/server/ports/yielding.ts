/** Milliseconds of work between two yields. */
const SLICE = 5

/**
 * Yields each item, and yields to the event loop about every 5 ms. Long-running work in the control API iterates with
 * this function. Throws the reason of `signal` if it is aborted.
 */
export async function* yielding<T>(items: Iterable<T>, signal?: AbortSignal): AsyncGenerator<T> {
  let until = performance.now() + SLICE
  for (const item of items) {
    signal?.throwIfAborted()
    yield item
    if (performance.now() < until) continue
    await new Promise(setImmediate)
    until = performance.now() + SLICE
  }
}

/** Like `yielding`, for short synchronous work on many items. Awaiting each item would take longer than the work. */
export async function forEachYielding<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  let until = performance.now() + SLICE
  for (const item of items) {
    work(item)
    if (performance.now() < until) continue
    await new Promise(setImmediate)
    until = performance.now() + SLICE
  }
}

/** Generates the list when it is first read, and returns the same items to later readers. */
export function once<T>(make: () => Iterable<T>): () => Iterable<T> {
  let made: readonly T[] | undefined
  return function* () {
    if (made) return yield* made
    const items: T[] = []
    for (const item of make()) {
      items.push(item)
      yield item
    }
    made = items
  }
}
