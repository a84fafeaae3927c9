import type { Ports } from '../ports.ts'
import type { Streams } from '../ports/streams.ts'
import type { LiveStream } from './live-stream.ts'

/** One task on the world's time ends all streams: a task for each would weigh as much as its stream. */
export function endWithTokens({ scheduler }: Pick<Ports, 'scheduler'>, streams: Streams<LiveStream>) {
  let next = Number.POSITIVE_INFINITY
  let cancel = () => {}

  function watch({ endsAt, endsBy }: LiveStream): void {
    if (endsAt >= next) return
    cancel()
    next = endsAt
    cancel = scheduler.schedule(endsAt, () => endExpired(endsAt), endsBy)
  }

  function endExpired(now: number): void {
    next = Number.POSITIVE_INFINITY
    for (const stream of streams.list()) {
      if (stream.endsAt <= now) stream.end()
      else watch(stream)
    }
  }

  return watch
}
