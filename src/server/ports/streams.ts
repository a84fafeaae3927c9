import type { Chaos, StreamDescription, StreamEnding } from '#contract/records/events/stream.ts'

export interface Streams<S extends OpenStream = OpenStream> {
  /** Ends an existing stream of the same subscription. */
  add(stream: S): void
  remove(stream: S): void
  find(subscriptionId: string): S | undefined
  list(): S[]
  readonly size: number
  readonly endings: ReadonlySet<StreamEnding>
  /** True if the world has ended. A new stream must then end too. */
  readonly isOver: boolean
  /** `forGood` must be true if the world has ended. */
  close(forGood?: boolean): void
}

export interface OpenStream {
  readonly subscriptionId: string
  readonly ending: StreamEnding
  describe(): StreamDescription
  injectFault(chaos: Chaos): void
  end(): void
}
