import type { Chaos, StreamDescription, StreamEnding } from '../../contract/records/events/stream.ts'

export interface Streams<S extends OpenStream = OpenStream> {
  /** In the place of the subscription's other one, which ends. */
  add(stream: S): void
  remove(stream: S): void
  find(subscriptionId: string): S | undefined
  list(): S[]
  readonly size: number
  readonly endings: ReadonlySet<StreamEnding>
  /** Whether the world has ended: whoever comes now must end too. */
  readonly isOver: boolean
  /** Ends all; for good at the world's end. */
  close(forGood?: boolean): void
}

export interface OpenStream {
  readonly subscriptionId: string
  readonly ending: StreamEnding
  describe(): StreamDescription
  disturb(chaos: Chaos): void
  end(): void
}
