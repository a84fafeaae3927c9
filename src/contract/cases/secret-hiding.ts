import { encodePercent } from '../records/decoded-text.ts'
import type { CaseBody, CaseCall, CaseStep } from '../records/control/case.ts'
import { decodeAllInPieces, spellingsOf } from './hidden-text.ts'
import { replaceInPieces } from './long-texts.ts'
import { finish, type Work } from './long-work.ts'
import { countMarks, digestMark, mapTextsInPieces, tokenMark } from './placeholders.ts'
import { SecretSearch, SHORTEST } from './secret-search.ts'

/** A body may be spelt in an unusual way; secrets are also looked for in its other readings. */
export interface Readings {
  readings?: { call?: string | undefined; reply?: string | undefined }
}

interface Rules {
  sha256(text: string): string
  isName(name: string): boolean
  /** A short secret could stand anywhere by chance, so it is hidden only where it is named. */
  hideNamed(text: string, numbers: ReadonlyMap<string, number>): string | Work<string>
}

/** One issued secret counts more than all that is told. */
const OF_ISSUED = 1e6

/** A secret is found however it is spelt. */
export class SecretHiding {
  readonly #numbers = new Map<string, number>()
  readonly #told = new Set<string>()
  readonly #search = new SecretSearch()
  readonly #digests = new Map<string, string>()
  readonly #rules: Rules
  #hasShort = false

  constructor(rules: Rules) {
    this.#rules = rules
  }

  /**
   * A plain word may stand anywhere, so it is hidden only where it is named. What is only told may be the odd spelling
   * of an issued secret, so an issued one decides which spelling is taken.
   */
  add(secret: string, number: number, kind: 'issued' | 'told' | 'plain' = 'issued'): void {
    this.#numbers.set(secret, number)
    this.#hasShort ||= kind === 'plain' || secret.length < SHORTEST
    if (kind === 'plain') return
    if (kind === 'told') this.#told.add(secret)
    this.#search.add(secret)
    this.#digests.set(this.#rules.sha256(secret), digestMark(number))
  }

  hide(value: unknown): unknown {
    return finish(this.hideInPieces(value))
  }

  hideInPieces(value: unknown): Work<unknown> {
    return mapTextsInPieces(value, (text, name) => this.#hide(text, name))
  }

  hideStep(step: CaseStep & Readings): CaseStep {
    return finish(this.hideStepInPieces(step))
  }

  *hideStepInPieces({ readings, ...step }: CaseStep & Readings): Work<CaseStep> {
    if (!('reply' in step)) return (yield* this.hideInPieces(step)) as CaseStep
    const { reply } = step
    const body = reply.body === undefined ? {} : { body: yield* this.#hide(reply.body, '', readings?.reply) }
    const hidden = { ...((yield* this.hideInPieces({ ...reply, body: undefined })) as object), ...body }
    const about = { step: step.step, at: step.at }
    if ('call' in step) return { ...about, call: yield* this.#hideCall(step.call, readings?.call), reply: hidden }
    return { ...about, control: yield* this.#hideCall(step.control, readings?.call), reply: hidden }
  }

  hideText(text: string, name = ''): string {
    return finish(this.#hide(text, name))
  }

  *#hide(text: string, name = '', message?: string): Work<string> {
    const number = this.#rules.isName(name) ? this.#numbers.get(text) : undefined
    if (number !== undefined) return tokenMark(number)
    const [near, decoded] = [yield* this.#mark(text), yield* decodeAllInPieces(message ?? text)]
    if (decoded === text) return near.text
    // The original spelling stays unless another hides more; then the nearest such one is taken.
    const others = [yield* this.#mark(message ?? text), yield* this.#mark(decoded)]
    if (others.every(({ count }) => count <= near.count)) return near.text
    let best = near
    for (const spelling of [...spellingsOf(text, message), decoded]) {
      yield
      if (spelling === undefined) continue
      const marked = yield* this.#mark(spelling)
      if (marked.count > best.count) best = marked
    }
    return best.text
  }

  *#mark(text: string): Work<{ text: string; count: number }> {
    let count = 0
    const plain = yield* this.#search.replaceInPieces(text, (secret) => {
      count += this.#told.has(secret) ? 1 : OF_ISSUED
      return tokenMark(this.#numbers.get(secret)!)
    })
    const digested = yield* replaceInPieces(plain, DIGEST, ({ text: digest }) => this.#digests.get(digest) ?? digest)
    const marked = yield* this.#hideNamed(digested)
    return { text: marked, count: count + (marked === digested ? 0 : countMarks(marked) - countMarks(digested)) }
  }

  *#hideNamed(text: string): Work<string> {
    if (!this.#hasShort) return text
    const hidden = this.#rules.hideNamed(text, this.#numbers)
    return typeof hidden === 'string' ? hidden : yield* hidden
  }

  *#hideCall({ body, ...call }: CaseCall, reading: string | undefined): Work<CaseCall> {
    const hidden = (yield* this.hideInPieces(call)) as CaseCall
    // A decoded path may hold what no path can hold.
    const path = hidden.path.replace(/[^\x21-\x7e]/gu, encodePercent)
    const rest = { ...hidden, path }
    return body === undefined ? rest : { ...rest, body: yield* this.#hideBody(body, reading) }
  }

  *#hideBody(body: CaseBody, reading: string | undefined): Work<CaseBody> {
    if (typeof body === 'string') return yield* this.#hide(body, '', reading)
    if ('text' in body) return { ...body, text: yield* this.#hide(body.text, '', reading) }
    if ('dropped' in body) return body
    // Latin-1 maps each byte to one letter, so nothing is lost.
    const letters = atob(body.base64)
    const isHarmless =
      (yield* this.#search.countInPieces(letters)) === 0 && (yield* this.#hideNamed(letters)) === letters
    return isHarmless ? body : { text: yield* this.#hide(letters), charset: 'latin1' }
  }
}

const DIGEST = /\b[0-9a-f]{64}\b/g
