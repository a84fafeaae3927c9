import type { HttpBody } from '#contract/exchange.ts'
import type { CaseFrame } from '#contract/files/case.ts'
import type { Random } from './chance.ts'
import type { Clock } from './clock.ts'
import type { CapturedExchange } from './exchange.ts'
import type { RecordChanges } from './store.ts'

/** Causes precede effects. */
export interface Recorder {
  /** Ids follow from this seed during the recording. */
  readonly seed: string
  readonly sources: { readonly clock: Clock; readonly random: Random }
  /** The calls before it must finish first, so it may have to be awaited. */
  waitForSlot(call: RecordedCall): Promise<void> | undefined
  finish(call: RecordedCall, exchange: CapturedExchange): void
  release(call: RecordedCall): void
  frame(frame: CaseFrame): void
  closed(subscriptionId: string): void
  /** Called after the commit; `characters` counts the JSON of the records. */
  wrote(changes: RecordChanges, characters: number): void
}

/** A call has its position in a case once its slot begins, or once it is answered. */
export interface RecordedCall {
  readonly recorder: Recorder
  readonly isControl: boolean
  readonly changes: boolean
  readonly movesClock: boolean
  body: Uint8Array[] | undefined
  sent: HttpBody | undefined
  /** The call sees this instant throughout. */
  at: number | undefined
  exchange: CapturedExchange | undefined
}
