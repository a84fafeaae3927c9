import { Bindings } from '../../../contract/cases/placeholders.ts'
import { fillShape } from '../../../contract/cases/shapes.ts'
import { ControlError } from '../../control-client/errors.ts'

/** Digests are computed asynchronously, so they are known only after a while. */
export class Secrets {
  readonly #digests = new Map<string, string>()
  readonly #unknown = new Set<string>()
  readonly #bindings: Bindings

  /** `shapes` tells the look of each secret. */
  constructor(shapes: readonly string[]) {
    this.#bindings = new Bindings(shapes, {
      sha256: (text) => {
        if (!this.#digests.has(text)) this.#unknown.add(text)
        return this.#digests.get(text) ?? ''
      },
      invent: (shape) => fillShape(shape, drawBelow),
    })
  }

  /** Runs `work` again when it asked for digests that were not yet known. */
  async use<T>(work: (bindings: Bindings) => T): Promise<T> {
    for (;;) {
      const made = work(this.#bindings)
      if (this.#unknown.size === 0) return made
      for (const text of this.#unknown) this.#digests.set(text, await sha256(text))
      this.#unknown.clear()
    }
  }
}

async function sha256(text: string): Promise<string> {
  // Browsers offer digests only to pages of loopback and of HTTPS.
  if (!crypto.subtle) throw new ControlError(400, 'NoDigests', 'This case needs a page of loopback or of HTTPS')
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function drawBelow(size: number): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]! % size
}
