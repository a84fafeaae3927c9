import { mapHeader } from '#contract/files/named-values.ts'
import { mapTexts } from '#contract/files/placeholders.ts'
import type { CaseStep, CaseHeader } from '#contract/files/case.ts'
import { generatedSecrets, isCallerName, looksSecret } from '#contract/records/secret-names.ts'
import { Redactor } from '#contract/redaction.ts'
import { streamKeyOf } from '../domain/events/stream-access.ts'
import { wordsOf } from '../journal/redaction.ts'
import type { Digests } from '../ports/chance.ts'
import { yielding } from '../ports/yielding.ts'

interface Known {
  digests: Pick<Digests, 'sha256' | 'hmac'>
  /** SHA-256 digests of secrets that are published in the fixtures. They are not replaced. */
  published: ReadonlySet<string>
  issued: Iterable<string>
  signal?: AbortSignal
}

/** Shorter secrets are not replaced, because the same text may occur anywhere by coincidence. */
const SHORTEST = 8

type Stored = Readonly<Record<string, unknown>>
type Records = Readonly<Record<string, readonly Stored[] | undefined>>

/** Iterates `steps` twice, because a secret may occur before the step that identifies it. */
export async function* writeWithoutSecrets(
  header: Omit<CaseHeader, 'tokens'>,
  steps: Iterable<CaseStep>,
  known: Known,
): AsyncGenerator<string> {
  const { snapshot, changed, ...about } = header
  const { digests, published, signal } = known
  const [name, origin] = snapshot ? ['snapshot', snapshot] : ['changed', changed ?? {}]
  const redactor = new Redactor(
    { sha256: digests.sha256, isPublished: (text) => published.has(digests.sha256(text)) },
    'own',
  )
  const search = openSearch(origin, known, redactor)
  for await (const part of yielding(partsOf(origin, DEPTH), signal)) {
    if ('value' in part && !part.at.startsWith('blobs.')) search(part.value)
  }
  for await (const step of yielding(steps, signal)) search(step)
  yield `${JSON.stringify(about).slice(0, -1)},"${name}":`
  for await (const part of yielding(partsOf(origin, DEPTH), signal)) {
    yield 'value' in part ? (JSON.stringify(redactor.hideValue(part.value)) ?? 'null') : part.text
  }
  yield `,"tokens":${JSON.stringify(redactor.shapes)}}\n`
  for await (const step of yielding(steps, signal)) yield `${JSON.stringify(redactor.take(step))}\n`
}

/** The records contain only digests of most secrets, so this looks up the digest of each word of a text. */
function openSearch(origin: Stored, { digests, issued }: Known, redactor: Redactor): (value: unknown) => void {
  const records = (origin['records'] ?? {}) as Records
  const kept = Object.values(generatedSecrets).flatMap(([name, field]) =>
    (records[name] ?? []).map((each) => each[field]),
  )
  const [known, seen] = [new Set<unknown>(kept), new Set<string>()]
  const worldSecret = records['settings']?.find((setting) => setting['name'] === 'secret')?.['value']
  const sellers = (records['sellers'] ?? []).map(({ secret }) => String(secret))
  for (const secret of [...issued, ...sellers]) if (secret.length >= SHORTEST) redactor.add(secret)
  if (worldSecret !== undefined) redactor.add(String(worldSecret))
  // The criteria of a fault may contain a secret that no client has sent.
  mapTexts(origin['faults'], (text, name) => {
    if (!looksSecret(name) || isCallerName(name)) return text
    return mapHeader(name, text, (secret) => {
      if (secret.length >= SHORTEST) redactor.add(secret)
      return secret
    })
  })
  const look = (text: string) => {
    for (const word of wordsOf(text)) {
      // Tokens and keys that the server generates have at least 20 characters.
      if (word.length < 20 || seen.has(word)) continue
      if (seen.size < MOST_SEEN) seen.add(word)
      if (known.has(digests.sha256(word))) redactor.add(word)
    }
    if (worldSecret === undefined) return
    for (const [, subscriptionId] of text.matchAll(/\/filters\/([\w-]{1,64})\/activate/g)) {
      redactor.add(streamKeyOf(digests, String(worldSecret), subscriptionId!))
    }
  }
  return (value) => mapTexts(value, (text, name) => look(name === 'base64' ? atob(text) : text))
}

const MOST_SEEN = 100_000

const DEPTH = 3

/** Splits a large value into parts, so that the event loop is not blocked while the value is written. */
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
  // For a list, `keys()` is used, because an array of all indices would need much memory.
  for (const name of isList ? value.keys() : Object.keys(value)) {
    const each = (value as Record<string, unknown>)[name]
    if (each === undefined) continue
    yield { text: isList ? before : `${before}${JSON.stringify(name)}:` }
    yield* partsOf(each, depth - 1, at === '' ? String(name) : `${at}.${name}`)
    before = ','
  }
  yield { text: isList ? ']' : '}' }
}
