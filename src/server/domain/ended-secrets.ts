import type { CollectionName } from '../../contract/records/collections.ts'
import { drawnSecrets } from '../../contract/records/secret-names.ts'
import type { Journal } from '../ports/journal.ts'
import type { Ports } from '../ports.ts'

const MOST = 10_000

/** Digests of secrets that the records no longer hold, while entries of the journal may. */
const ended = new WeakMap<Journal, Set<string>>()

export function noteEnded({ journal }: Pick<Ports, 'journal'>, digest: string): void {
  const digests = ended.get(journal) ?? new Set<string>()
  ended.set(journal, digests)
  digests.add(digest)
  if (digests.size > MOST) digests.delete(digests.values().next().value!)
}

export function hasEnded({ journal }: Pick<Ports, 'journal'>, digest: string): boolean {
  return ended.get(journal)?.has(digest) ?? false
}

/** The digest of the secret that ends with the record. */
export function secretOf(
  { digests }: Pick<Ports, 'digests'>,
  name: CollectionName,
  record: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  if (name === 'sellers') return record && digests.sha256(String(record['secret']))
  const [, field] = Object.values(drawnSecrets).find(([collection]) => collection === name) ?? []
  const digest = field && record?.[field]
  return typeof digest === 'string' ? digest : undefined
}
