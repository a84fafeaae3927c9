/** Milliseconds of work between two yields to the event loop. */
const SLICE = 5

/** Yields to the event loop about every 5 ms. If `signal` is aborted, throws its reason. */
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

/** For short synchronous work, because awaiting each item would take longer than the work. */
export async function forEachYielding<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  let until = performance.now() + SLICE
  for (const item of items) {
    work(item)
    if (performance.now() < until) continue
    await new Promise(setImmediate)
    until = performance.now() + SLICE
  }
}

/** Later reads return the same items. */
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
