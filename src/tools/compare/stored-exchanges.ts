import type { CaseStep, StreamFrame } from '#contract/files/case.ts'
import type { Peer } from './side.ts'
import type { ReceivedResponse } from '../cases/player/request.ts'

/** Calls and characters that are kept, so that a long comparison stays flat; the beginning explains the rest. */
const MOST_CALLS = 1000
const MOST_CHARACTERS = 32 * 1024 * 1024

/** Our world can be asked again with other choices, and the upstream is not asked twice. */
export class StoredExchanges {
  readonly steps: CaseStep[] = []
  readonly #replies = new Map<number, ReceivedResponse>()
  readonly #frames = new Map<number, StreamFrame[]>()
  #left = MOST_CHARACTERS
  #isFull = false

  addStep(step: CaseStep): void {
    if (!this.#isFull) this.steps.push(step)
  }

  addReply(step: number, reply: ReceivedResponse): void {
    if (this.#isFull) return
    this.#left -= (reply.body?.length ?? 0) + 1000
    this.#isFull = this.#left < 0 || this.#replies.size === MOST_CALLS
    if (!this.#isFull) this.#replies.set(step, reply)
    // A call without its answer would be left out of each trial, as if a choice had ended what differs there.
    else this.steps.length = this.steps.findIndex((each) => each.step === step)
  }

  addFrames(step: number, frames: readonly StreamFrame[]): void {
    if (this.#replies.has(step)) this.#frames.set(step, frames.slice(0, MOST_CALLS))
  }

  /** A call that got no answer then is left out again. */
  again(): Peer {
    return {
      lacks: ({ step }) => !this.#replies.has(step),
      ask: async ({ step }) => this.#replies.get(step)!,
      countFrames: (step) => this.#frames.get(step)?.length ?? 0,
      takeFrames: (step) => this.#frames.get(step) ?? [],
    }
  }
}
