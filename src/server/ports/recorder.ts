import type { HttpBody } from '#contract/exchange.ts'
import type { CaseFrame, CaseStreamEnd } from '#contract/files/case.ts'
import type { Random } from './chance.ts'
import type { Clock } from './clock.ts'
import type { CapturedExchange } from './exchange.ts'
import type { RecordChanges } from './store.ts'

/** Records the calls of a world and their effects. A cause always precedes its effects. */
export interface Recorder {
  /** During the recording, IDs are derived from this seed. */
  readonly seed: string
  readonly sources: { readonly clock: Clock; readonly random: Random }
  /** Returns a promise if the call must wait for earlier calls. */
  waitForSlot(call: RecordedCall): Promise<void> | undefined
  finish(call: RecordedCall, exchange: CapturedExchange): void
  release(call: RecordedCall): void
  frame(frame: CaseFrame): void
  closed(closed: CaseStreamEnd): void
  /** Called after each commit. `characters` is the length of the changed records as JSON. */
  wrote(changes: RecordChanges, characters: number): void
}

/** Its position in the case is set when its slot starts or its response is sent, whichever is earlier. */
export interface RecordedCall {
  readonly recorder: Recorder
  readonly isControl: boolean
  readonly changes: boolean
  readonly movesClock: boolean
  body: Uint8Array[] | undefined
  sent: HttpBody | undefined
  /** Timestamp of the call. The clock shows this time during the entire call. */
  at: number | undefined
  exchange: CapturedExchange | undefined
}
