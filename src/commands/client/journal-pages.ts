import { toLinePart } from '../../tools/control-client/printable.ts'
import type { JournalEntry } from '../../tools/control-client/types.ts'
import type { JournalFilter } from '../../tools/control-client/inputs.ts'
import type { WorldClient } from '../../tools/control-client/world-client.ts'
import type { CommandOutput } from '../input-output.ts'

export const LARGEST_PAGE = 100
/** A server that never ends its list must not be followed for ever. */
const MOST_PAGES = 2000

/** Several instances are merged, newest first. A single one keeps its own order, without its name. */
export async function readAll(
  world: WorldClient,
  filter: JournalFilter,
  stderr: CommandOutput['stderr'],
): Promise<JournalEntry[]> {
  const found: JournalEntry[] = []
  const silent = new Set<string>()
  let next: string | undefined
  for (let page = 0; page < MOST_PAGES && (page === 0 || next !== undefined); page++) {
    const read = await world.journals({ ...filter, limit: LARGEST_PAGE, ...(next !== undefined && { cursor: next }) })
    found.push(...read.entries)
    for (const name of read.missing ?? []) silent.add(name)
    next = read.next
  }
  if (next !== undefined) stderr.write(`only the newest ${found.length} are shown\n`)
  for (const name of silent) stderr.write(`${toLinePart(name)} says nothing: its entries are missing\n`)
  if (silent.size > 0 || new Set(found.map(({ instance }) => instance)).size > 1) return found
  return found.map(({ instance: _, ...entry }) => entry).toSorted((a, b) => b.id - a.id)
}

/** The newest entry comes first. */
export async function readSince(world: WorldClient, filter: JournalFilter, after: number): Promise<JournalEntry[]> {
  const found: JournalEntry[] = []
  for (let before: number | undefined; ; before = found.at(-1)?.id) {
    const page = await world.journal({ ...filter, limit: LARGEST_PAGE, ...(before !== undefined && { before }) })
    const fresh = page.filter(({ id }) => id > after)
    found.push(...fresh)
    if (fresh.length < LARGEST_PAGE) return found
  }
}
