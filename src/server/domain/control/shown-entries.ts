import { SecretHiding } from '../../../contract/cases/secret-hiding.ts'
import type { JournalEntry } from '../../../contract/records/control/journal.ts'
import type { Journal } from '../../ports/journal.ts'
import { findIssued, type KnowsIssued } from './issued-secrets.ts'

export type Shows = KnowsIssued

/** Secrets that the world has issued stand as `{{token:n}}`, in any part of an entry and however they are spelt. */
export async function showEntries<T extends JournalEntry>(ports: Shows, entries: readonly T[]): Promise<T[]> {
  const issued = await findIssued(ports, entries)
  if (issued.size === 0) return [...entries]
  const { digests, journal, turns } = ports
  const hiding = new SecretHiding({ sha256: digests.sha256, isName: () => false, hideNamed: (text) => text })
  for (const secret of issued) hiding.add(secret, numberOf(journal, digests.sha256(secret)))
  const shown: T[] = []
  for (const entry of entries) {
    shown.push(hideAll(entry, hiding) as T)
    await turns.give()
  }
  return shown
}

const MOST = 10_000

interface Numbers {
  byDigest: Map<string, number>
  newest: number
}

/** A secret keeps its number while the journal's process runs, so that entries can be told together. */
const numbers = new WeakMap<Journal, Numbers>()

function numberOf(journal: Journal, digest: string): number {
  const known = numbers.get(journal) ?? { byDigest: new Map<string, number>(), newest: 0 }
  numbers.set(journal, known)
  const { byDigest } = known
  const number = byDigest.get(digest) ?? ++known.newest
  byDigest.set(digest, number)
  if (byDigest.size > MOST) byDigest.delete(byDigest.keys().next().value!)
  return number
}

/** Names of fields may hold a secret too. */
function hideAll(value: unknown, hiding: SecretHiding): unknown {
  if (typeof value === 'string') return hiding.hideText(value)
  if (Array.isArray(value)) return value.map((each) => hideAll(each, hiding))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [hiding.hideText(name), hideAll(each, hiding)]))
}
