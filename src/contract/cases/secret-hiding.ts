import type { CaseBody, CaseCall, CaseStep } from '../records/control/case.ts'
import { decodeAll, spellingsOf } from './hidden-text.ts'
import { digestMark, mapTexts, tokenMark } from './placeholders.ts'
import { SecretSearch, SHORTEST } from './secret-search.ts'

/** A body may be spelt in an unusual way; secrets are also looked for in its other readings. */
export interface Readings {
  readings?: { call?: string | undefined; reply?: string | undefined }
}

interface Rules {
  sha256(text: string): string
  isName(name: string): boolean
  /** A short secret could stand anywhere by chance, so it is hidden only where it is named. */
  hideNamed(text: string, numbers: ReadonlyMap<string, number>): string
}

/** A secret is found however it is spelt. */
export class SecretHiding {
  readonly #numbers = new Map<string, number>()
  readonly #search = new SecretSearch()
  readonly #digests = new Map<string, string>()
  readonly #rules: Rules
  #hasShort = false

  constructor(rules: Rules) {
    this.#rules = rules
  }

  add(secret: string, number: number): void {
    this.#numbers.set(secret, number)
    this.#search.add(secret)
    this.#digests.set(this.#rules.sha256(secret), digestMark(number))
    this.#hasShort ||= secret.length < SHORTEST
  }

  hide(value: unknown): unknown {
    return mapTexts(value, (text, name) => this.hideText(text, name))
  }

  hideStep({ readings, ...step }: CaseStep & Readings): CaseStep {
    if (!('reply' in step)) return this.hide(step) as CaseStep
    const { reply } = step
    const body = reply.body === undefined ? {} : { body: this.hideText(reply.body, '', readings?.reply) }
    const hidden = { ...(this.hide({ ...reply, body: undefined }) as object), ...body }
    const about = { step: step.step, at: step.at }
    if ('call' in step) return { ...about, call: this.#hideCall(step.call, readings?.call), reply: hidden }
    return { ...about, control: this.#hideCall(step.control, readings?.call), reply: hidden }
  }

  hideText(text: string, name = '', message?: string): string {
    const number = this.#rules.isName(name) ? this.#numbers.get(text) : undefined
    if (number !== undefined) return tokenMark(number)
    const shown = this.#choose(text, message)
    const plain = this.#search.replace(shown, (secret) => tokenMark(this.#numbers.get(secret)!))
    const marked = plain.replace(/\b[0-9a-f]{64}\b/g, (digest) => this.#digests.get(digest) ?? digest)
    return this.#hasShort ? this.#rules.hideNamed(marked, this.#numbers) : marked
  }

  #hideCall({ body, ...call }: CaseCall, reading: string | undefined): CaseCall {
    const rest = this.hide(call) as CaseCall
    return body === undefined ? rest : { ...rest, body: this.#hideBody(body, reading) }
  }

  #hideBody(body: CaseBody, reading: string | undefined): CaseBody {
    if (typeof body === 'string') return this.hideText(body, '', reading)
    if ('text' in body) return { ...body, text: this.hideText(body.text, '', reading) }
    // Latin-1 maps each byte to one letter, so nothing is lost.
    const letters = atob(body.base64)
    return this.#search.count(letters) === 0 ? body : { text: this.hideText(letters), charset: 'latin1' }
  }

  /** The original spelling stays unless it hides a secret; then the nearest harmless one is taken. */
  #choose(text: string, message: string | undefined): string {
    const decoded = decodeAll(message ?? text)
    if (decoded === text) return text
    const count = this.#search.count(decoded)
    for (const spelling of spellingsOf(text, message)) if (this.#search.count(spelling) >= count) return spelling
    return decoded
  }
}
