import type { CaseCall, CaseReply, CaseStep } from '../records/control/case.ts'
import { soundsSecret } from '../records/secret-names.ts'
import { isDeep } from './depth.ts'
import { decodeAll } from './hidden-text.ts'
import { plainSlashes } from './plain-slashes.ts'
import { type Change, mapField, mapHeader, mapNamed, mapYaml } from './named-secrets.ts'
import { countMarks, mapTexts, tokenMark } from './placeholders.ts'
import { SecretHiding } from './secret-hiding.ts'
import { toShape } from './shapes.ts'
import { encodePercent, findJson } from '../records/decoded-text.ts'

interface Known {
  sha256(text: string): string
  isPublished(text: string): boolean
}

/**
 * Secrets are known by their names and by where they were issued; from then on each becomes `{{token:n}}` wherever it
 * comes.
 */
export class TrafficSecrets {
  readonly #known: Known
  readonly #numbers = new Map<string, number>()
  readonly #hiding: SecretHiding
  readonly shapes: string[]
  readonly #marks: ReadonlySet<string>

  /** Placeholders that the traffic already holds stay as they are; `shapes` are theirs. */
  constructor(known: Known, shapes: readonly string[] = []) {
    this.#known = known
    this.shapes = [...shapes]
    this.#marks = new Set(shapes.map((_, i) => tokenMark(i + 1)))
    this.#hiding = new SecretHiding({
      sha256: known.sha256,
      isName: soundsSecret,
      hideNamed,
    })
  }

  /** The step also carries the shapes of the secrets that it is the first to show. */
  take(step: CaseStep): CaseStep {
    const tokens = this.learn(step)
    const { step: number, at, ...hidden } = this.hide(step)
    return { step: number, at, ...(tokens.length > 0 && { tokens }), ...hidden } as CaseStep
  }

  /**
   * Gives the shapes of the secrets that this step is the first to show. `issued` are secrets in it that the world
   * knows, whatever their names.
   */
  learn(step: CaseStep, issued: Iterable<string> = []): string[] {
    const before = this.shapes.length
    for (const secret of issued) this.#add(secret)
    if ('reply' in step) this.#learnCall(step)
    else this.#learnValue(step)
    return this.shapes.slice(before)
  }

  #learnCall(step: Extract<CaseStep, { reply: CaseReply }>): void {
    const call = 'call' in step ? step.call : step.control
    this.#learnHeaders(call.headers)
    this.#learnText(call.path)
    this.#learnBody(call)
    this.#learnHeaders(step.reply.headers)
    this.#learnBody(step.reply)
  }

  /** Only secrets that are known by now are hidden. */
  hide(step: CaseStep): CaseStep {
    if (!('reply' in step)) return this.#hiding.hideStep(step)
    const reply = this.#hidePlaces(step.reply)
    if ('control' in step) return this.#hiding.hideStep({ ...step, control: this.#hidePlaces(step.control), reply })
    return this.#hiding.hideStep({ ...step, call: this.#hidePlaces(step.call), reply })
  }

  /** Only secrets that are known by now are hidden. */
  hideValue<T>(value: T): T {
    return this.#hiding.hide(value) as T
  }

  /** The text may be nothing but a secret, however short. */
  hideText(text: string): string {
    return this.#numbers.has(text) ? markOf(this.#numbers, text) : this.hideValue(text)
  }

  /** Some places are secret by the message that they stand in. */
  #hidePlaces<Message extends CaseCall | CaseReply>(message: Message): Message {
    const { headers, body } = message
    const hide = (secret: string) => markOf(this.#numbers, secret)
    return {
      ...message,
      ...(headers && { headers: mapHeaders(headers, hide) }),
      ...(typeof body === 'string' && isYaml(headers) && { body: mapYaml(body, hide) }),
    }
  }

  #learnHeaders(headers: CaseReply['headers'] = {}): void {
    const kept = mapHeaders(headers, (secret) => {
      this.#add(secret)
      return ''
    })
    // The value of another header, such as a referer, may name a secret.
    mapTexts(kept, (text) => this.#learnText(text))
  }

  #learnBody({ headers, body }: CaseCall | CaseReply): void {
    if (body === undefined || (typeof body === 'object' && 'dropped' in body)) return
    const text = typeof body === 'string' ? body : 'text' in body ? body.text : atob(body.base64)
    for (const value of readValues(text)) this.#learnValue(value)
    this.#learnText(text)
    if (isYaml(headers)) mapYaml(text, this.#learn)
  }

  /** Everything below a name that tells of a secret is secret. */
  #learnValue(value: unknown, name = '', isSecret = false): void {
    if (Array.isArray(value)) for (const each of value) this.#learnValue(each, name, isSecret)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, each] of Object.entries(value)) this.#learnValue(each, key, isSecret || soundsSecret(key))
    } else if (typeof value === 'string') {
      if (isSecret) mapField(name, value, this.#learn)
      this.#learnText(value)
    }
  }

  #learnText(text: string): void {
    const plain = decodeAll(text)
    for (const each of plain === text ? [text] : [text, plain]) mapNamed(each, this.#learn)
  }

  readonly #learn = (secret: string): string => {
    this.#add(secret)
    return secret
  }

  /** A secret may be spelt in other ways elsewhere. */
  #add(given: string): void {
    const secret = plainSlashes(given.trim())
    const plain = decodeAll(secret.replace(/^"(.*)"$/, '$1'))
    const [head = ''] = secret.split(';', 1)
    for (const each of [secret, plain, head, encodePercent(plain), JSON.stringify(plain).slice(1, -1)]) {
      this.#addSpelling(each)
    }
    const [, password] = /^[^:]*:(.+)$/.exec(decodeBase64(secret)) ?? []
    if (password !== undefined) this.#addSpelling(password)
  }

  #addSpelling(secret: string): void {
    if (secret === '' || this.#numbers.has(secret) || this.#marks.has(secret)) return
    if (this.#known.isPublished(secret)) return
    const number = this.shapes.push(toShape(secret))
    this.#numbers.set(secret, number)
    this.#hiding.add(secret, number)
  }
}

/** The spelling stays unless decoding shows more secrets. */
function hideNamed(text: string, numbers: ReadonlyMap<string, number>): string {
  const hide = (spelt: string) => mapNamed(spelt, (secret) => markOf(numbers, secret))
  const [hidden, plain] = [hide(text), decodeAll(text)]
  if (plain === text) return hidden
  const read = hide(plain)
  return countMarks(read) > countMarks(hidden) ? read : hidden
}

function markOf(numbers: ReadonlyMap<string, number>, secret: string): string {
  const number = numbers.get(secret) ?? numbers.get(plainSlashes(secret.trim()))
  return number === undefined ? secret : tokenMark(number)
}

export function mapHeaders(headers: NonNullable<CaseReply['headers']>, change: Change) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const changed = (each: string) => mapHeader(name.toLowerCase(), each, change)
      return [name, typeof value === 'string' ? changed(value) : value.map(changed)]
    }),
  )
}

/** Only the user and password of a Basic authorization hold a colon when decoded. */
export function decodeBase64(text: string): string {
  if (!/^[A-Za-z\d+/]{4,}={0,2}$/.test(text) || text.length % 4 !== 0) return ''
  const decoded = atob(text)
  return /^[\x20-\x7e]+$/.test(decoded) ? decoded : ''
}

export const isYaml = (headers: CaseReply['headers'] = {}): boolean =>
  /\byaml\b/i.test(String(headers['content-type'] ?? ''))

/** Where the whole is no JSON each of its first lines may be; one that is none ends them. */
export function* readValues(text: string): Generator<unknown> {
  const whole = parse(text)
  if (whole !== undefined) return yield whole
  for (const line of text.split('\n')) {
    const value = parse(line)
    if (typeof value !== 'object') break
    yield value
  }
}

/** Gives nothing for text that is no JSON or too deep for recursion. */
function parse(text: string): unknown {
  return !/^\s*[[{"]/.test(text) || isDeep(text) ? undefined : findJson(text)
}
