/** Milliseconds of work between two yields. */
const SLICE = 5

/**
 * Passes on each item and yields to the event loop about every 5 ms. Long control work iterates by it, and nothing else
 * yields. It throws the reason of `signal` when that is aborted.
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

/** The same for short synchronous work on many items, where waiting for each item would cost more than the work. */
export async function forEachYielding<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  let until = performance.now() + SLICE
  for (const item of items) {
    work(item)
    if (performance.now() < until) continue
    await new Promise(setImmediate)
    until = performance.now() + SLICE
  }
}

/** The list is made as its first reader takes it, and is the same for later ones. */
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
