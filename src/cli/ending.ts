import process from 'node:process'
import closeWithGrace from 'close-with-grace'

export interface End {
  /** Balancers must learn of the end first. */
  isAwaited: boolean
  error: Error | undefined
}

const ORDERS = ['SIGINT', 'SIGTERM'] as const
/** Requests in flight get so many milliseconds. */
const GRACE = 10_000
/** npm hands on a signal that its whole group has already got, so the same signal soon again is an echo. */
const ECHO = 250

/**
 * Ends the process in good order by a signal, or by an error that nobody caught. SIGTERM alone is awaited, for `delay`
 * milliseconds at most: a person who presses Ctrl-C would wait in vain. A second signal ends it at once, with exit code
 * 1.
 */
export function endWell(delay: number, end: (how: End) => Promise<void>): void {
  let first: NodeJS.Signals | undefined
  let isEnding = false
  let isEcho = true
  const grace = closeWithGrace({ delay: delay + GRACE, logger: false, skip: [...ORDERS] }, ({ err }) => {
    isEnding = true
    return end({ isAwaited: first === 'SIGTERM', error: err })
  })
  const obey = (signal: NodeJS.Signals) => {
    if (isEnding) {
      if (signal !== first || !isEcho) process.exit(1)
      return
    }
    first = signal
    setTimeout(() => (isEcho = false), ECHO).unref()
    grace.close()
  }
  for (const signal of ORDERS) process.on(signal, obey)
}
