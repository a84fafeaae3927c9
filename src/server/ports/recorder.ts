import type { CaseBody, CaseFrame } from '../../contract/records/control/case.ts'
import type { Random } from './chance.ts'
import type { Clock } from './clock.ts'
import type { Exchange } from './exchange.ts'
import type { RecordChanges } from './store.ts'

/** Writes down what happens in a world, in the order of cause and effect. */
export interface Recorder {
  /** The seed that ids are a function of meanwhile. */
  readonly seed: string
  readonly sources: { readonly clock: Clock; readonly random: Random }
  /** To be awaited, if anything: the calls before it are done first. */
  takeTurn(call: RecordedCall): Promise<void> | undefined
  finish(call: RecordedCall, exchange: Exchange): void
  release(call: RecordedCall): void
  frame(frame: CaseFrame): void
  closed(subscriptionId: string): void
  /** Records that were committed, of so many characters of JSON. */
  wrote(changes: RecordChanges, characters: number): void
}

/** A call's place in a case: it has one once it has its turn, or once it is answered. */
export interface RecordedCall {
  readonly recorder: Recorder
  readonly isControl: boolean
  readonly changes: boolean
  readonly movesClock: boolean
  body: Uint8Array[] | undefined
  sent: CaseBody | undefined
  /** The instant at which its turn began. */
  at: number | undefined
  exchange: Exchange | undefined
}
