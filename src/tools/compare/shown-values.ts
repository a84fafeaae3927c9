import { mapNamed } from '../../contract/cases/named-secrets.ts'
import { SecretSearch } from '../../contract/cases/secret-search.ts'
import { soundsSecret, REDACTED } from '../../contract/records/secret-names.ts'
import type { CaseCall, CaseReply } from '../../contract/records/control/case.ts'

/** A bound keeps the memory of a long run flat. */
const MOST = 10_000
const MOST_SHOWN = 300
/** Far more than is shown, so that a secret at its end is read whole. */
const MOST_READ = 65_536
/** A long mix of letters and digits is taken for a drawn secret, even when no name says so. */
const DRAWN = /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24,}(?![\w-])/g
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const ELEMENT = /<(?:[\w.-]+:)?([\w.-]+)[^<>]*>([^<]+)</g

/**
 * Hides secrets in all values that people and files are shown: the ones that calls and replies name, and texts that
 * look drawn.
 */
export class ShownValues {
  readonly #secrets = new Set<string>()
  readonly #search = new SecretSearch()

  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.#add(secret)
  }

  learnCall({ headers, path, body }: Pick<CaseCall, 'headers' | 'path' | 'body'>): void {
    this.#learnHeaders(headers)
    const [, query = ''] = path.split('?', 2)
    for (const [name, value] of new URLSearchParams(query)) if (soundsSecret(name)) this.#add(value)
    if (typeof body === 'string') this.#learnText(body)
    else if (body && 'text' in body) this.#learnText(body.text)
  }

  learnReply({ headers = {}, body }: CaseReply): void {
    this.#learnHeaders(headers)
    if (body !== undefined) this.#learnText(body)
  }

  #learnHeaders(headers: CaseCall['headers']): void {
    for (const [name, value] of Object.entries(headers)) {
      if (!soundsSecret(name)) continue
      for (const each of [value].flat()) for (const part of each.split(/[\s;,=]+/)) this.#add(part)
    }
  }

  #learnText(text: string): void {
    if (text.startsWith('<')) {
      for (const [, name = '', value = ''] of text.matchAll(ELEMENT)) {
        // Document 3 calls the issued token `output`.
        if (soundsSecret(name) || name === 'output') this.#add(value)
      }
      return
    }
    for (const [, name = '', value = ''] of text.matchAll(/"([\w-]{1,40})"\s*:\s*"((?:[^"\\]|\\.){1,4096})"/g)) {
      if (soundsSecret(name)) this.#add(value)
    }
  }

  show(value: unknown, path = ''): unknown {
    const shown = this.#redact(value, path.replace(/^.*\./, '').replace(/\[.*$/, ''))
    const text = JSON.stringify(shown) ?? ''
    return text.length > MOST_SHOWN ? cut(text) : shown
  }

  showText(text: string): string {
    return cut(this.hide(text))
  }

  /** A text in which no secret stands that is known by now. */
  hide(text: string): string {
    const named = mapNamed(text.slice(0, MOST_READ), () => REDACTED)
    const known = this.#search.replace(named, () => REDACTED)
    return known.replace(DRAWN, (word) => (UUID.test(word) ? word : REDACTED))
  }

  #redact(value: unknown, name: string): unknown {
    if (typeof value === 'string') return soundsSecret(name) ? REDACTED : this.hide(value)
    if (Array.isArray(value)) return value.slice(0, 20).map((each) => this.#redact(each, name))
    if (typeof value !== 'object' || value === null) return soundsSecret(name) && value !== null ? REDACTED : value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [this.hide(key), this.#redact(each, key)]))
  }

  #add(secret: string): void {
    if (this.#secrets.size >= MOST || secret.length < 6 || this.#secrets.has(secret)) return
    const kept = own(secret)
    this.#secrets.add(kept)
    this.#search.add(kept)
  }
}

const cut = (text: string): string => (text.length > MOST_SHOWN ? `${own(text.slice(0, MOST_SHOWN))}…` : text)

/** A part of a text holds the whole of it in memory (V8); a copy does not. */
const own = (text: string): string => Buffer.from(text).toString()
