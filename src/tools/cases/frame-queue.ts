import type { CaseFrame } from '../../contract/records/control/case.ts'

type Frame = Omit<CaseFrame, 'subscriptionId'>

/** The frames of an event stream, out of its text as it comes. */
export class FrameQueue {
  readonly #frames: Frame[] = []
  #rest = ''
  #hasEnded = false
  #wake = () => {}

  push(text: string): void {
    const blocks = (this.#rest + text).split('\n\n')
    this.#rest = blocks.pop()!
    this.#frames.push(...blocks.flatMap(toFrame))
    if (this.#frames.length > 0) this.#wake()
  }

  /** Nothing comes after what is there. */
  end(): void {
    this.#hasEnded = true
    this.#wake()
  }

  /** The next frame, waited for so many milliseconds of real time; nothing when none comes. */
  async next(withinMs: number): Promise<Frame | undefined> {
    if (this.#frames.length === 0 && !this.#hasEnded) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    return this.#frames.shift()
  }

  /** What came and was not taken yet. */
  takeAll(): Frame[] {
    return this.#frames.splice(0)
  }
}

/** Heartbeats are no frames. */
function toFrame(block: string): Frame[] {
  const [, event] = /^event: (.*)$/m.exec(block) ?? []
  const [, id] = /^id: (.*)$/m.exec(block) ?? []
  const [, data = ''] = /^data: (.*)$/m.exec(block) ?? []
  if (event === undefined) return []
  const value = event === 'CONTROL_EVENT' ? data : (JSON.parse(data) as unknown)
  return [{ event, ...(id !== undefined && { id }), data: value }]
}
