import type { CaseCall, CaseFrame, CaseReply } from '../../contract/records/control/case.ts'

/** Writes down what happens in a world, in the order of cause and effect. */
export interface Recorder {
  /** To be awaited, if anything: the calls before it are done first. */
  takeTurn(call: RecordedCall): Promise<void> | undefined
  finish(call: RecordedCall, exchange: RecordedExchange): void
  release(call: RecordedCall): void
  frame(frame: CaseFrame): void
  closed(subscriptionId: string): void
}

/** A call that has arrived; it stands in the case once it has its turn, or once it is answered. */
export interface RecordedCall {
  readonly recorder: Recorder
  readonly isControl: boolean
  readonly changes: boolean
  readonly movesClock: boolean
  /** Its body, by pieces, if it has one. */
  body: Uint8Array[] | undefined
  /** The instant at which its turn began. */
  at: number | undefined
  exchange: RecordedExchange | undefined
}

/** A call with its reply, as they came. */
export interface RecordedExchange {
  /** What both take in a case, about. */
  bytes: number
  /** Its reply is an event stream, which has more to say. */
  isStream: boolean
  /** Makes a step of it; `readings` are how else its bodies can be read, where they are spelt so that they hide. */
  read(): { call: CaseCall; reply: CaseReply; readings?: { call?: string | undefined; reply?: string | undefined } }
}
