import type { Journal } from '../../src/server/ports/journal.ts'
import type { JournalEntry } from '../../src/contract/records/control/journal.ts'

export async function entriesOf(journal: Journal): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = []
  for await (const { id, record } of journal.scan()) entries.push(record.read(id))
  return entries
}

export async function idsOf(journal: Journal, range?: Parameters<Journal['scan']>[0]): Promise<number[]> {
  const ids: number[] = []
  for await (const { id } of journal.scan(range)) ids.push(id)
  return ids
}
