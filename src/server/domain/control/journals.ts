import type { JournalEntry, JournalQuery } from '../../../contract/records/control/journal.ts'
import type { JournalRecord } from '../../ports/journal.ts'
import { fitsQuery } from './journal.ts'
import { showEntries, type Shows } from './shown-entries.ts'

export interface JournalPlace {
  /** The world's clock may stand, so real time is kept too. */
  at: number
  instant: number
  instance: string
  id: number
}

export interface PartQuery extends Omit<JournalQuery, 'before' | 'offset' | 'limit'> {
  limit: number
  /** A part has about so many bytes, and one entry in any case. */
  bytes: number
  behind?: JournalPlace | undefined
}

export interface JournalPart {
  entries: readonly { place: JournalPlace; entry: JournalEntry }[]
  totalCount: number
  hasMore: boolean
}

export async function readJournalPart(ports: Shows, instance: string, query: PartQuery): Promise<JournalPart> {
  const { journal, turns } = ports
  const { behind, limit } = query
  let found: { place: JournalPlace; record: JournalRecord }[] = []
  const keepNewest = () => {
    found = found.toSorted((a, b) => comparePlaces(a.place, b.place)).slice(0, limit)
  }
  let [totalCount, left] = [0, 0]
  for await (const { id, record, instant } of journal.scan({ turns })) {
    if (!fitsQuery(record, id, query)) continue
    totalCount++
    const place = { at: record.at, instant, instance, id }
    if (behind && comparePlaces(place, behind) <= 0) continue
    left++
    found.push({ place, record })
    if (found.length === 2 * limit) keepNewest()
  }
  keepNewest()
  const entries: { place: JournalPlace; entry: JournalEntry }[] = []
  let room = query.bytes
  for (const { place, record } of found) {
    room -= record.weight
    if (room < 0 && entries.length > 0) break
    await turns.give()
    entries.push({ place, entry: { ...record.read(place.id), instance } })
  }
  const shown = await showEntries(
    ports,
    entries.map(({ entry }) => entry),
  )
  return {
    entries: entries.map(({ place }, i) => ({ place, entry: shown[i]! })),
    totalCount,
    hasMore: left > entries.length,
  }
}

/** Nothing is shown that stands behind an entry which an instance has held back. */
export function mergeJournalParts(parts: readonly JournalPart[], limit: number) {
  const all = parts.flatMap(({ entries }) => entries).toSorted((a, b) => comparePlaces(a.place, b.place))
  const ends = parts.flatMap(({ entries, hasMore }) => (hasMore ? [entries.at(-1)!.place] : []))
  const end = ends.toSorted(comparePlaces)[0]
  const known = end ? all.filter(({ place }) => comparePlaces(place, end) <= 0) : all
  const page = known.slice(0, limit)
  const last = end || page.length < all.length ? page.at(-1) : undefined
  return {
    entries: page.map(({ entry }) => entry),
    totalCount: parts.reduce((sum, part) => sum + part.totalCount, 0),
    ...(last && { next: writePlace(last.place) }),
  }
}

/** Real time decides where the world's clock stands. */
function comparePlaces(a: JournalPlace, b: JournalPlace): number {
  if (a.at !== b.at) return b.at - a.at
  if (a.instant !== b.instant) return b.instant - a.instant
  if (a.instance !== b.instance) return a.instance < b.instance ? -1 : 1
  return b.id - a.id
}

function writePlace({ at, instant, id, instance }: JournalPlace): string {
  return `${at}-${instant}-${id}-${instance}`
}

const PLACE = /^(\d{1,15})-(\d{1,15})-(\d{1,10})-([\w.-]{1,100})$/

/** Gives nothing for text that is no place. */
export function readPlace(text: string): JournalPlace | undefined {
  const [, at, instant, id, instance] = PLACE.exec(text) ?? []
  return instance === undefined ? undefined : { at: Number(at), instant: Number(instant), id: Number(id), instance }
}
