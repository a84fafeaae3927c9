import { CUT } from '#contract/cut-body.ts'
import { mapTexts } from '#contract/files/placeholders.ts'
import type { JournalEntry } from '#contract/records/control/journal.ts'
import { generatedSecrets } from '#contract/records/secret-names.ts'
import type { StoredRecord } from '#contract/records/snapshot.ts'
import { Redactor } from '#contract/redaction.ts'
import { streamKeyOf } from '../domain/events/stream-access.ts'
import type { Ports } from '../ports.ts'
import { yielding } from '../ports/yielding.ts'

export type RedactionPorts = Pick<Ports, 'store' | 'digests' | 'published' | 'journal'>

export function createRedactor({ digests: { sha256 }, published }: RedactionPorts): Redactor {
  return new Redactor({ sha256, isPublished: (text) => text === CUT || published.has(sha256(text)) }, 'named')
}

export async function redactEntries(ports: RedactionPorts, entries: readonly JournalEntry[]): Promise<JournalEntry[]> {
  const redactor = createRedactor(ports)
  const words = new Set<string>()
  for await (const entry of yielding(entries)) collectWords(entry, words)
  await addIssued(ports, words, redactor)
  const redacted: JournalEntry[] = []
  for await (const entry of yielding(entries)) redacted.push(redactEntry(redactor, entry))
  return redacted
}

function redactEntry(redactor: Redactor, entry: JournalEntry): JournalEntry {
  const hide = <M extends { body?: unknown } | undefined>(message: M): M =>
    typeof message?.body === 'string' ? { ...message, body: redactor.hideBody(message.body) } : message
  const { query, request, response, ...rest } = redactor.hideValue({ ...entry, query: `?${entry.query ?? ''}` })
  return {
    ...rest,
    ...(entry.query !== undefined && { query: query.slice(1) }),
    ...(request && { request: hide(request) }),
    ...(response && { response: hide(response) }),
  }
}

export function collectWords(value: unknown, words: Set<string>): void {
  mapTexts(value, (text) => {
    for (const word of wordsOf(text)) words.add(word)
  })
}

/** First letters may belong to an escape sequence such as `\n` or `%20`, so words are also yielded without them. */
export function* wordsOf(text: string): Generator<string> {
  for (const { 0: word, index } of text.matchAll(/[A-Za-z0-9]{8,202}/g)) {
    yield word
    if (text[index - 1] === '\\') yield word.slice(1)
    if (text[index - 1] === '%') yield word.slice(2)
  }
}

/** Clears `words`. Most secrets are found by digest, because the world stores only digests of issued tokens. */
export async function addIssued({ store, digests }: RedactionPorts, words: Set<string>, to: Redactor): Promise<void> {
  const add = (secret: string) => {
    if (words.has(secret)) to.add(secret)
  }
  for (const { secret } of await store.sellers.find()) add(secret)
  const worldSecret = (await store.settings.get('secret'))?.value
  const subscriptions = worldSecret === undefined ? [] : await store.subscriptions.find()
  for await (const { subscriptionId } of yielding(subscriptions)) {
    add(streamKeyOf(digests, worldSecret!, subscriptionId))
  }
  // Tokens and keys that the server generates have at least 20 characters.
  const all = [...words].filter((word) => word.length >= 20)
  const batch = 50
  const starts = Array.from({ length: Math.ceil(all.length / batch) }, (_, i) => i * batch)
  for await (const from of yielding(starts)) {
    const byDigest = new Map(all.slice(from, from + batch).map((word) => [digests.sha256(word), word]))
    const asked = [...byDigest.keys()]
    for (const [name, field] of Object.values(generatedSecrets)) {
      const found: readonly StoredRecord[] = await store.collection(name).find({ where: { [field]: asked } })
      for (const record of found) add(byDigest.get(String(record[field]))!)
    }
  }
  words.clear()
}
