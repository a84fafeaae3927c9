import type { JobQueue } from '../ports/job-queue.ts'

const MOST_AT_ONCE = 2

/** Runs two jobs at a time, in the order in which they came. */
export function createJobQueue(): JobQueue {
  let running = 0
  const waiting: (() => void)[] = []

  async function enter(): Promise<() => void> {
    if (running === MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    return () => {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  return {
    async run(job) {
      const leave = await enter()
      try {
        return await job()
      } finally {
        leave()
      }
    },
    async *stream(texts) {
      const leave = await enter()
      try {
        yield* texts
      } finally {
        leave()
      }
    },
  }
}
