import { TooManyJobs } from '#server/ports/failures.ts'
import type { JobQueue } from '#server/ports/job-queue.ts'

const MOST_AT_ONCE = 2
/** Maximum number of waiting jobs, because each keeps its input in memory, such as a case of 1 MiB. */
const MOST_WAITING = 50

export function createJobQueue(): JobQueue {
  let running = 0
  const waiting: (() => void)[] = []

  function assertRoom(): void {
    if (waiting.length < MOST_WAITING) return
    throw new TooManyJobs(`${MOST_AT_ONCE} large jobs are running and ${MOST_WAITING} are waiting. Try again later`)
  }

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
      assertRoom()
      const leave = await enter()
      try {
        return await job()
      } finally {
        leave()
      }
    },
    stream(texts) {
      assertRoom()
      return (async function* () {
        // Streams that were created in the same tick have passed the first check together.
        assertRoom()
        const leave = await enter()
        try {
          yield* texts
        } finally {
          leave()
        }
      })()
    },
  }
}
