import type { CaseStep, StreamFrame } from '#contract/files/case.ts'
import type { Peer } from './side.ts'
import type { ReceivedResponse } from '../cases/player/request.ts'

/** Limits memory during a long comparison. Only the first requests are used to find explanations. */
const MOST_CALLS = 1000
const MOST_CHARACTERS = 32 * 1024 * 1024

/** Stores the responses of the upstream, so that trials repeat only the requests to the local world. */
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
    // Otherwise the trials would skip this step, and a choice would seem to have removed its differences.
    else this.steps.length = this.steps.findIndex((each) => each.step === step)
  }

  addFrames(step: number, frames: readonly StreamFrame[]): void {
    if (this.#replies.has(step)) this.#frames.set(step, frames.slice(0, MOST_CALLS))
  }

  again(): Peer {
    return {
      lacks: ({ step }) => !this.#replies.has(step),
      ask: async ({ step }) => this.#replies.get(step)!,
      countFrames: (step) => this.#frames.get(step)?.length ?? 0,
      takeFrames: (step) => this.#frames.get(step) ?? [],
    }
  }
}
