import type { OpenStream, Streams } from '#server/ports/streams.ts'
import type { StreamEnding } from '#contract/records/events/stream.ts'

export function createStreamDirectory(): Streams {
  const streams = new Map<string, OpenStream>()
  const endings = new Set<StreamEnding>()
  let isOver = false
  return {
    endings,
    get size() {
      return streams.size
    },
    get isOver() {
      return isOver
    },
    add(stream) {
      streams.get(stream.subscriptionId)?.end('a newer connection replaced the stream')
      streams.set(stream.subscriptionId, stream)
    },
    remove(stream) {
      endings.add(stream.ending)
      // When a replaced stream is removed, the map already contains the stream that replaced it.
      if (streams.get(stream.subscriptionId) === stream) streams.delete(stream.subscriptionId)
    },
    find: (subscriptionId) => streams.get(subscriptionId),
    list: () => [...streams.values()],
    close(forGood = false) {
      isOver ||= forGood
      for (const stream of streams.values()) stream.end(forGood ? 'the world ended' : 'the server closed the stream')
    },
  }
}
