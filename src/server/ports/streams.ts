import type { Chaos, StreamDescription, StreamEnding } from '#contract/records/events/stream.ts'

export interface Streams<S extends OpenStream = OpenStream> {
  /** The subscription's other stream ends. */
  add(stream: S): void
  remove(stream: S): void
  find(subscriptionId: string): S | undefined
  list(): S[]
  readonly size: number
  readonly endings: ReadonlySet<StreamEnding>
  /** The world has ended, so a new stream must end too. */
  readonly isOver: boolean
  /** `forGood` is set when the world ends. */
  close(forGood?: boolean): void
}

export interface OpenStream {
  readonly subscriptionId: string
  readonly ending: StreamEnding
  describe(): StreamDescription
  injectFault(chaos: Chaos): void
  end(): void
}
