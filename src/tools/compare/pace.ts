import { setTimeout as wait } from 'node:timers/promises'

/** Lets so many calls a second go, one after the other. */
export function paceAt(rate: number, timer: () => number): () => Promise<void> {
  let next = 0
  return async () => {
    const now = timer()
    if (next > now) await wait(next - now)
    next = Math.max(next, now) + 1000 / rate
  }
}
