import { escapeXml, mapHeader, NamedValues } from './files/named-values.ts'
import { digestMark, mapTexts, tokenMark, toShape } from './files/placeholders.ts'
import { plainSlashes, decodeText, encodePercent } from './records/decoded-text.ts'
import type { HttpBody, HttpRequest, HttpResponse, DroppedBody } from './exchange.ts'
import type { CaseStep, WrittenStep } from './files/case.ts'
import { isCallerName, looksSecret } from './records/secret-names.ts'

export interface Known {
  sha256(text: string): string
  /** Returns whether the value is in the fixtures. Such values are public and are not replaced. */
  isPublished(text: string): boolean
  /** Returns whether the name is one of the additional secret names in `REDACT`. */
  isSecretName?(name: string): boolean
}

/** `own`: added secrets and header credentials. `named`: also by field name. `vendor`: also drops unparsable bodies. */
export type Traffic = 'own' | 'named' | 'vendor'

/** A shorter secret is replaced only where it was found, because it may occur elsewhere by coincidence. */
const LONG = 20

type Headers = NonNullable<HttpResponse['headers']>

interface Spelling {
  text: string
  /** The spelling is found by one of its words. This is the index of that word within the spelling. */
  at: number
}

/** Replaces secrets with numbered placeholders in data that leaves this machine. */
export class Redactor {
  readonly shapes: string[]
  readonly #known: Known
  readonly #traffic: Traffic
  readonly #numbers = new Map<string, number>()
  readonly #byWord = new Map<string, Spelling[]>()
  readonly #byDigest = new Map<string, string>()
  readonly #learned: NamedValues
  readonly #hidden: NamedValues

  /** If the traffic already contains placeholders, `shapes` must contain their shapes. */
  constructor(known: Known, traffic: Traffic, shapes: readonly string[] = []) {
    this.#known = known
    this.#traffic = traffic
    this.shapes = [...shapes]
    const rules = {
      isSecret: (name: string) => this.#isSecret(name),
      isDisplayed: (value: string) => this.#isDisplayed(value),
    }
    this.#learned = new NamedValues({ ...rules, change: (secret) => this.#learn(secret) })
    this.#hidden = new NamedValues({ ...rules, change: (secret, name) => this.#hide(secret, name) })
  }

  /** Replaces the secret in all later text, whether it appears verbatim, URL-encoded or escaped. */
  add(secret: string): void {
    const digest = this.#known.sha256(secret)
    if (this.#byDigest.has(digest) || this.#isDisplayed(secret)) return
    this.#byDigest.set(digest, secret)
    for (const text of spellingsOf(secret)) {
      const [word = ''] = (text.match(WORDS) ?? []).toSorted((a, b) => b.length - a.length)
      const known = this.#byWord.get(word) ?? []
      if (word === '' || known.some((each) => each.text === text)) continue
      known.push({ text, at: text.indexOf(word) })
      this.#byWord.set(
        word,
        known.sort((a, b) => b.text.length - a.text.length),
      )
    }
  }

  learn(step: CaseStep): void {
    this.#mapStep(step, this.#learned)
  }

  hide(step: CaseStep): WrittenStep {
    return this.#mapStep(step, this.#hidden)
  }

  /** Replaces the secrets in a step and adds the shapes of its new placeholders. */
  take(given: CaseStep): WrittenStep {
    const before = this.shapes.length
    if (this.#traffic !== 'own') this.learn(given)
    const { step, at, ...hidden } = this.hide(given)
    const tokens = this.shapes.slice(before)
    return { step, at, ...(tokens.length > 0 && { tokens }), ...hidden } as WrittenStep
  }

  hideValue<T>(value: T): T {
    return this.#mapValue(value, this.#hidden) as T
  }

  /** Returns a body unchanged if it cannot be parsed. */
  hideBody(text: string, type = ''): string {
    return this.#mapText(text, type, this.#hidden) ?? text
  }

  hideText(text: string): string {
    if (this.#byWord.size === 0) return text
    // JSON may escape slashes. Removing these escapes does not change the meaning of the JSON.
    const unescaped = text.includes('\\/') ? plainSlashes(text) : text
    if (unescaped !== text && this.#hideWords(unescaped) !== unescaped) return this.hideText(unescaped)
    const plain = text.replace(BASIC, (given, scheme: string, own: string) => {
      const decoded = decodeBase64(own)
      return this.#hideWords(decoded) === decoded ? given : scheme + this.#mark(own)
    })
    return this.#hideWords(plain)
  }

  #learn(secret: string): string {
    const [, password = ''] = /^[^:]*:(.+)$/.exec(decodeBase64(secret)) ?? []
    for (const each of [secret, decodeText(secret), password]) if (each.length >= LONG) this.add(each)
    return secret
  }

  /** By default, identities of callers are replaced only in traffic of a real vendor. */
  #hide(secret: string, name = ''): string {
    const isIdentity = this.#traffic !== 'vendor' && isCallerName(name) && !this.#known.isSecretName?.(name)
    if (isIdentity || this.#isDisplayed(secret)) return secret
    const hidden = this.#traffic === 'vendor' ? secret : this.hideText(secret)
    return hidden === secret ? this.#mark(secret) : hidden
  }

  #mark(secret: string): string {
    const number = this.#numbers.get(secret) ?? this.shapes.push(toShape(secret))
    this.#numbers.set(secret, number)
    return tokenMark(number)
  }

  #isSecret(name: string): boolean {
    return looksSecret(name) || (this.#known.isSecretName?.(name) ?? false)
  }

  #isDisplayed(secret: string): boolean {
    return NONE.test(secret) || this.#known.isPublished(secret) || secret.replace(MARK, '') === ''
  }

  #hideWords(text: string): string {
    let [written, end] = ['', 0]
    for (const { 0: run, index } of text.matchAll(WORDS)) {
      // The match may start with letters that belong to an escape sequence such as `\n` or `%20`.
      const skipped = text[index - 1] === '\\' ? 1 : text[index - 1] === '%' ? 2 : 0
      for (const skip of skipped === 0 ? [0] : [0, skipped]) {
        const found = this.#findAt(text, run.slice(skip), index + skip)
        if (!found || found.at < end) continue
        written += text.slice(end, found.at) + found.mark
        end = found.at + found.length
        break
      }
    }
    return end === 0 ? text : written + text.slice(end)
  }

  #findAt(text: string, word: string, index: number): { at: number; length: number; mark: string } | undefined {
    const digested = word.length === 64 ? this.#byDigest.get(word) : undefined
    if (digested !== undefined) {
      this.#mark(digested)
      return { at: index, length: 64, mark: digestMark(this.#numbers.get(digested)!) }
    }
    for (const { text: spelling, at } of this.#byWord.get(word) ?? []) {
      if (
        text.startsWith(spelling, index - at) &&
        !/^[A-Za-z0-9]{2}/.test(text.slice(index - at + spelling.length - 1))
      )
        return { at: index - at, length: spelling.length, mark: this.#mark(spelling) }
    }
    return undefined
  }

  #mapStep(step: CaseStep, named: NamedValues): WrittenStep {
    if (!('reply' in step)) return this.#mapValue(step, named) as WrittenStep
    const reply = this.#mapReply(step.reply, named)
    if ('control' in step) return { ...step, control: this.#mapCall(step.control, named), reply }
    return { ...step, call: this.#mapCall(step.call, named), reply }
  }

  #mapCall({ body, ...call }: HttpRequest, named: NamedValues): HttpRequest {
    return {
      ...call,
      path: this.#finish(this.#traffic === 'own' ? call.path : named.mapAddress(call.path), named),
      headers: this.#mapHeaders(call.headers, named),
      ...(body !== undefined && { body: this.#mapBody(body, typeOf(call.headers), named) }),
    }
  }

  #mapReply({ headers, body, ...reply }: HttpResponse, named: NamedValues): WrittenReply {
    // A truncated body may end in the middle of a secret, so truncated bodies of the vendor are dropped.
    const isDropped = reply.cut && this.#traffic === 'vendor'
    const text = body === undefined || isDropped ? undefined : this.#mapText(body, typeOf(headers), named)
    return {
      ...reply,
      ...(headers && { headers: this.#mapHeaders(headers, named) }),
      ...(body !== undefined && { body: text ?? dropBody(body) }),
    }
  }

  #mapHeaders(headers: Headers, named: NamedValues): Headers {
    const map = (name: string, value: string) => {
      // In own traffic, the server never sets a cookie to a credential that it has rejected.
      const isNamed = this.#isSecret(name) && !(this.#traffic === 'own' && name === 'set-cookie')
      if (isNamed || name === 'location') return mapHeader(name, value, named.change)
      return this.#traffic === 'own' ? value : named.mapText(value)
    }
    return Object.fromEntries(
      Object.entries(headers).map(([name, values]) => {
        const mapped = [values].flat().map((value) => this.#finish(map(name.toLowerCase(), value), named))
        return [name, typeof values === 'string' ? mapped[0]! : mapped]
      }),
    )
  }

  #mapBody(body: HttpBody, type: string, named: NamedValues): HttpBody {
    if (typeof body === 'string') return this.#mapText(body, type, named) ?? dropBody(body)
    if ('dropped' in body) return body
    if ('text' in body) {
      const text = this.#mapText(body.text, type, named)
      return text === undefined ? dropBody(body.text) : { ...body, text }
    }
    // Decodes the body as Latin-1, in which all bytes are valid. Only forms have field names.
    const letters = atob(body.base64)
    const isForm = /^multipart\//i.test(type)
    const text = isForm ? this.#mapText(letters, type, named) : this.#finish(letters, named)
    if (text === undefined) return { dropped: 'unparsable', bytes: letters.length }
    return text === letters ? body : { text, charset: 'latin1' }
  }

  /** Returns undefined if the body must be dropped. */
  #mapText(text: string, type: string, named: NamedValues): string | undefined {
    if (this.#traffic === 'own' || text === '') return this.#finish(text, named)
    // XML comments are removed, because they may contain secrets.
    const isStripped = this.#traffic === 'vendor' && /^[\s\ufeff]*</.test(text)
    const mapped = named.mapBody(isStripped ? text.replace(/<!--[\s\S]*?-->/g, '') : text, type)
    if (mapped === undefined && this.#traffic === 'vendor') return undefined
    return this.#finish(mapped ?? text, named)
  }

  #mapValue(value: unknown, named: NamedValues): unknown {
    const mapped = this.#traffic === 'own' ? value : named.mapValue(value)
    return mapTexts(mapped, (text) => this.#finish(text, named))
  }

  /** Returns the text unchanged if `learn` is the caller. */
  #finish(text: string, named: NamedValues): string {
    return named === this.#hidden ? this.hideText(text) : text
  }
}

const typeOf = (headers: HttpResponse['headers']) => String(headers?.['content-type'] ?? '')

type WrittenReply = Extract<WrittenStep, { reply: unknown }>['reply']

const dropBody = (text: string): DroppedBody => ({
  dropped: 'unparsable',
  bytes: new TextEncoder().encode(text).length,
})

const WORDS = /[A-Za-z0-9]+/g
/** A placeholder of this module, or of a client's template, which shows that the client did not fill it. */
const MARK = /\{\{ ?[A-Za-z][\w.:-]{0,39} ?\}\}/g
const NONE = /^(?:true|false|null|undefined|\*|)$/i
const BASIC = /\b(Basic\s+)([A-Za-z\d+/]{8,}={0,2})/g

function spellingsOf(text: string): Set<string> {
  const encoded = encodePercent(text)
  return new Set([text, encoded, encoded.replaceAll('%20', '+'), JSON.stringify(text).slice(1, -1), ...escapeXml(text)])
}

function decodeBase64(text: string): string {
  if (!/^[A-Za-z\d+/]{4,}={0,2}$/.test(text) || text.length % 4 !== 0) return ''
  const decoded = atob(text)
  return /^[\x20-\x7e]+$/.test(decoded) ? decoded : ''
}
