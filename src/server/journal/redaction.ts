import { mapTexts } from '#contract/files/placeholders.ts'
import type { JournalEntry } from '#contract/records/control/journal.ts'
import { drawnSecrets } from '#contract/records/secret-names.ts'
import type { StoredRecord } from '#contract/records/snapshot.ts'
import { Redactor } from '#contract/redaction.ts'
import { streamKeyOf } from '../domain/events/stream-access.ts'
import type { Ports } from '../ports.ts'
import { yielding } from '../ports/yielding.ts'
import { CUT } from './journaled-bodies.ts'

export type RedactionPorts = Pick<Ports, 'store' | 'digests' | 'published' | 'journal'>

/** Replaces values under secret names, and issued secrets once they are added. */
export function createRedactor({ digests: { sha256 }, published }: RedactionPorts): Redactor {
  return new Redactor({ sha256, isPublished: (text) => text === CUT || published.has(sha256(text)) }, 'named')
}

/** Entries as they may leave the machine. */
export async function redactEntries(ports: RedactionPorts, entries: readonly JournalEntry[]): Promise<JournalEntry[]> {
  const redactor = createRedactor(ports)
  const words = new Set<string>()
  for await (const entry of yielding(entries)) collectWords(entry, words)
  for (const secret of await findIssued(ports, words)) redactor.add(secret)
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

/** Adds the words that may be secrets of this world. */
export function collectWords(value: unknown, words: Set<string>): void {
  mapTexts(value, (text) => {
    for (const word of wordsOf(text)) words.add(word)
  })
}

/** Words that may be secrets. The first letters may belong to an escape, as in `\n` or `%20`. */
export function* wordsOf(text: string): Generator<string> {
  for (const { 0: word, index } of text.matchAll(/[A-Za-z0-9]{8,202}/g)) {
    yield word
    if (text[index - 1] === '\\') yield word.slice(1)
    if (text[index - 1] === '%') yield word.slice(2)
  }
}

/** Words of one query. */
const AT_ONCE = 50

/** The secrets among these words. The world has digests of those that it issued. */
export async function findIssued({ store, digests }: RedactionPorts, words: ReadonlySet<string>): Promise<string[]> {
  const issued: string[] = []
  const add = (secret: string) => {
    if (words.has(secret)) issued.push(secret)
  }
  for (const { secret } of await store.sellers.find()) add(secret)
  const worldSecret = (await store.settings.get('secret'))?.value
  const subscriptions = worldSecret === undefined ? [] : await store.subscriptions.find()
  for await (const { subscriptionId } of yielding(subscriptions)) {
    add(streamKeyOf(digests, worldSecret!, subscriptionId))
  }
  const all = [...words]
  const starts = Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, i) => i * AT_ONCE)
  for await (const from of yielding(starts)) {
    const byDigest = new Map(all.slice(from, from + AT_ONCE).map((word) => [digests.sha256(word), word]))
    const asked = [...byDigest.keys()]
    for (const [name, field] of Object.values(drawnSecrets)) {
      const found: readonly StoredRecord[] = await store.collection(name).find({ where: { [field]: asked } })
      for (const record of found) add(byDigest.get(String(record[field]))!)
    }
  }
  return issued
}
