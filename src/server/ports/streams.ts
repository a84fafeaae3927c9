import type { Chaos, StreamDescription, StreamEnding } from '#contract/records/events/stream.ts'

export interface Streams<S extends OpenStream = OpenStream> {
  /** If the subscription already has a stream, that stream ends. */
  add(stream: S): void
  remove(stream: S): void
  find(subscriptionId: string): S | undefined
  list(): S[]
  readonly size: number
  readonly endings: ReadonlySet<StreamEnding>
  /** True if the world has ended. In that case, a new stream must end immediately. */
  readonly isOver: boolean
  /** `forGood` must be true if the world has ended. */
  close(forGood?: boolean): void
}

export interface OpenStream {
  readonly subscriptionId: string
  readonly ending: StreamEnding
  describe(): StreamDescription
  injectFault(chaos: Chaos): void
  end(reason: string): void
}
