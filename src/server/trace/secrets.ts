import type { CaseStep } from '../../contract/records/control/case.ts'
import type { CaseHeader } from '../../contract/records/control/case-header.ts'
import { decodeAllInPieces } from '../../contract/cases/hidden-text.ts'
import { findInPieces, replaceInPieces } from '../../contract/cases/long-texts.ts'
import { finishInTurns, type Work } from '../../contract/cases/long-work.ts'
import { mapField, parameterValue } from '../../contract/cases/named-secrets.ts'
import { type Readings, SecretHiding } from '../../contract/cases/secret-hiding.ts'
import { mapTextsInPieces, tokenMark } from '../../contract/cases/placeholders.ts'
import { isPlain, SecretSearch } from '../../contract/cases/secret-search.ts'
import { toShapeInPieces } from '../../contract/cases/shapes.ts'
import { mapCredentials } from '../../contract/cases/step-credentials.ts'
import { findTold, hideTold } from '../../contract/cases/told-secrets.ts'
import { decodeBase64 } from '../../contract/cases/traffic-secrets.ts'
import { credentialPattern, drawnSecrets, saysWhoCalls, soundsSecret } from '../../contract/records/secret-names.ts'

interface Known {
  sha256(text: string): string
  /** A secret that the fixtures publish need not be hidden. It is known by its SHA-256. */
  isPublished(digest: string): boolean
  issued: Iterable<string>
  /** A long case must hold up nobody, so the work pauses wherever this gives something to await. */
  giveWay(): Promise<void> | undefined
}

const named: readonly RegExp[] = [
  String.raw`^bearer\s+(?<secret>\S+)\s*$`,
  String.raw`(?:^|[?&;#])(?:${credentialPattern})=(?<secret>${parameterValue})`,
  String.raw`"(?:${credentialPattern})"\s*:\s*"(?<secret>[^"\\]+)"`,
  String.raw`<(?:[\w.-]+:)?(?:${credentialPattern})(?:\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*)?>\s*(?<secret>[^<>\s]+)\s*<`,
  String.raw`\/_control\/(?:tokens|records\/sellers)\/(?<secret>[^/?#\s"]+)`,
].map((source) => new RegExp(source, 'gi'))
/** A text in the form of our tokens is a secret only if its digest is among the records. */
const drawn = /[A-Za-z0-9]{20,200}/g

type Stored = Readonly<Record<string, unknown>>
type CaseOrigin = Stored
type Records = Readonly<Record<string, readonly Stored[] | undefined>>

/**
 * Each secret becomes `{{token:n}}` wherever it stands, and its SHA-256 becomes `{{digest:n}}`; the numbers follow
 * their first places. `steps` are read twice, since a secret may stand before the place that names it.
 */
export async function* writeWithoutSecrets(
  header: Omit<CaseHeader, 'tokens'>,
  steps: Iterable<CaseStep & Readings>,
  known: Known,
): AsyncGenerator<string> {
  const { snapshot, changed, ...about } = header
  const { giveWay } = known
  const [name, origin] = snapshot ? ['snapshot', snapshot] : ['changed', changed ?? {}]
  const found = new FoundSecrets(origin, known)
  for (const part of partsOf(origin, DEPTH)) {
    if (!('value' in part)) continue
    await finishInTurns(found.lookInto(part.value, part.at), giveWay)
    await giveWay()
  }
  for (const step of steps) {
    await finishInTurns(found.lookInto(step), giveWay)
    found.lookIntoHeaders(step)
    await giveWay()
  }
  const hiding = new SecretHiding({ sha256: known.sha256, isName: isSecretField, hideNamed })
  yield `${JSON.stringify(about).slice(0, -1)},"tokens":[`
  const issued = new SecretSearch()
  for (const secret of found.issued()) {
    issued.add(secret)
    await giveWay()
  }
  let before = ''
  for (const [secret, number] of found.numbers) {
    hiding.add(secret, number, await finishInTurns(found.kindOf(secret, issued), giveWay))
    yield `${before}${JSON.stringify(await finishInTurns(toShapeInPieces(secret), giveWay))}`
    before = ','
    await giveWay()
  }
  yield `],"${name}":`
  for (const part of partsOf(hideSetting(origin, found.numbers), DEPTH)) {
    const hidden = 'value' in part ? await finishInTurns(hiding.hideInPieces(part.value), giveWay) : undefined
    yield 'value' in part ? (JSON.stringify(hidden) ?? 'null') : part.text
    await giveWay()
  }
  yield '}\n'
  for (const step of steps) {
    const told = mapCredentials(step, (secret) => markOf(found.numbers, secret))
    yield `${JSON.stringify(await finishInTurns(hiding.hideStepInPieces(told), giveWay))}\n`
    await giveWay()
  }
}

type Kind = 'issued' | 'told' | 'plain'

class FoundSecrets {
  readonly numbers = new Map<string, number>()
  /** These are hidden only where they are named. */
  readonly #plain = new Set<string>()
  readonly #told = new Set<string>()
  readonly #known: Known
  readonly #digests: ReadonlySet<unknown>
  readonly #seen = new Set<string>()

  constructor(origin: CaseOrigin, known: Known) {
    this.#known = known
    const records = recordsOf(origin)
    const of = (name: string, field: string) => (records[name] ?? []).map((record) => record[field])
    const { sellers = [], settings = [] } = records
    this.#digests = new Set(Object.values(drawnSecrets).flatMap(([name, field]) => of(name, field)))
    for (const secret of known.issued) this.#add(secret)
    for (const { secret } of sellers) this.#add(String(secret))
    for (const { name, value } of settings) if (name === 'secret') this.#add(String(value))
  }

  /** `at` is the place in the world's records and faults. Images hold no secrets. */
  *lookInto(value: unknown, at = ''): Work<void> {
    if (at.startsWith('blobs.')) return
    const look = (text: string, name: string) => this.#lookIntoField(text, name, at)
    yield* mapTextsInPieces(value, look)
  }

  *#lookIntoField(text: string, name: string, at: string): Work<void> {
    if (name === 'base64') yield* this.#lookIntoText(atob(text))
    if (at.startsWith('faults') && isSecretField(name)) mapField(name, text, this.#addField)
    yield* this.#lookIntoText(text)
  }

  lookIntoHeaders(step: CaseStep): void {
    mapCredentials(step, (secret, isPlain) => {
      this.#addTold(secret, isPlain || isWord(secret))
      const [, password] = /^[^:]*:(.+)$/.exec(decodeBase64(secret)) ?? []
      if (password !== undefined && !isPlain) this.#addTold(password, isWord(password))
      return secret
    })
  }

  #kindOf(secret: string): Kind {
    if (this.#plain.has(secret)) return 'plain'
    return this.#told.has(secret) ? 'told' : 'issued'
  }

  *issued(): Generator<string> {
    for (const secret of this.numbers.keys()) if (this.#kindOf(secret) === 'issued') yield secret
  }

  /** Wherever a text with an issued secret within was hidden, replay could not tell that secret's value. */
  *kindOf(secret: string, issued: SecretSearch): Work<Kind> {
    const kind = this.#kindOf(secret)
    return kind === 'told' && (yield* issued.countInPieces(secret)) > 0 ? 'plain' : kind
  }

  *#lookIntoText(text: string): Work<void> {
    // An encoded text may hold a part of a secret.
    const plain = yield* decodeAllInPieces(text)
    for (const pattern of named) {
      for (const found of findInPieces(plain, pattern)) {
        if (found) this.#addTold(found.groups['secret']!, isWord(found.groups['secret']!))
        else yield
      }
    }
    // An XML comment, which decoding drops, may hold a whole secret.
    for (const each of plain === text ? [text] : [text, plain]) {
      for (const found of findInPieces(each, drawn)) {
        if (found) this.#addDrawn(found.text)
        else yield
      }
    }
    yield* findTold(text, this.#addTold)
  }

  #addDrawn(word: string): void {
    if (this.#digests.size === 0 || this.#seen.has(word)) return
    if (this.#seen.size < MOST_SEEN) this.#seen.add(word)
    if (this.#digests.has(this.#known.sha256(word))) this.#add(word)
  }

  readonly #addField = (secret: string, name: string): string => {
    if (!saysWhoCalls(name)) this.#add(secret)
    return secret
  }

  readonly #addTold = (secret: string, isPlain: boolean): void => {
    const kind = this.numbers.has(secret) ? this.#kindOf(secret) : undefined
    this.#add(secret)
    if (!this.numbers.has(secret) || kind === 'issued') return
    this.#told.add(secret)
    if (isPlain && kind !== 'told') this.#plain.add(secret)
  }

  #add(secret: string): void {
    const { numbers } = this
    this.#plain.delete(secret)
    this.#told.delete(secret)
    if (secret === '' || numbers.has(secret) || this.#known.isPublished(this.#known.sha256(secret))) return
    numbers.set(secret, numbers.size + 1)
  }
}

const MOST_SEEN = 100_000

/** A word may be a part of addresses and bodies too, where it is no secret; a long one hardly is. */
const isWord = (secret: string) => secret.length < LONGER_THAN_WORDS && isPlain(secret)
const LONGER_THAN_WORDS = 24

const isSecretField = (name: string) => soundsSecret(name) && !saysWhoCalls(name)

function* hideNamed(text: string, numbers: ReadonlyMap<string, number>): Work<string> {
  let short = text
  for (const pattern of named) {
    short = yield* replaceInPieces(short, pattern, ({ text: whole, groups }) => {
      const secret = groups['secret']!
      const number = numbers.get(secret)
      const at = whole.lastIndexOf(secret)
      return number === undefined ? whole : whole.slice(0, at) + tokenMark(number) + whole.slice(at + secret.length)
    })
  }
  return yield* hideTold(short, (secret) => markOf(numbers, secret))
}

function markOf(numbers: ReadonlyMap<string, number>, secret: string): string {
  const number = numbers.get(secret)
  return number === undefined ? secret : tokenMark(number)
}

/** The setting may be too short to search for, and stands in this one place. */
function hideSetting(origin: CaseOrigin, numbers: ReadonlyMap<string, number>): CaseOrigin {
  const records = recordsOf(origin)
  const settings = records['settings']?.map((setting) => {
    const number = setting['name'] === 'secret' ? numbers.get(String(setting['value'])) : undefined
    return number === undefined ? setting : { ...setting, value: tokenMark(number) }
  })
  return settings ? { ...origin, records: { ...records, settings } } : origin
}

function recordsOf(origin: CaseOrigin): Records {
  return (origin['records'] ?? {}) as Records
}

/** Records lie at this depth of what a world began with. */
const DEPTH = 3

/** A large value is written in parts, so that no turn of the event loop is spent on all of it. */
function* partsOf(
  value: unknown,
  depth: number,
  at = '',
): Generator<{ text: string } | { value: unknown; at: string }> {
  if (depth === 0 || typeof value !== 'object' || value === null) return yield { value, at }
  const isList = Array.isArray(value)
  let before = isList ? '[' : '{'
  yield { text: before }
  before = ''
  // All keys of a long list, made at once, would take much memory.
  for (const name of isList ? value.keys() : Object.keys(value)) {
    const each = (value as Record<string, unknown>)[name]
    if (each === undefined) continue
    yield { text: isList ? before : `${before}${JSON.stringify(name)}:` }
    yield* partsOf(each, depth - 1, at === '' ? String(name) : `${at}.${name}`)
    before = ','
  }
  yield { text: isList ? ']' : '}' }
}
