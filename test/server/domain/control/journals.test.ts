import { expect, test } from 'vitest'
import { type JournalPart, mergeJournalParts, readPlace } from '../../../../src/server/domain/control/journals.ts'

/** Entries at these milliseconds, of which an instance may have more. */
function partOf(instance: string, times: readonly number[], hasMore = false): JournalPart {
  const entries = times.map((at, i) => {
    const id = times.length - i
    const place = { at, instant: at, instance, id }
    return { place, entry: { id, instance, kind: 'request' as const, at: new Date(at).toISOString() } }
  })
  return { entries, totalCount: times.length + (hasMore ? 5 : 0), hasMore }
}
const timesOf = ({ entries }: ReturnType<typeof mergeJournalParts>) => entries.map(({ at }) => Date.parse(at))

test('nothing is shown that an instance may have newer entries than', () => {
  const page = mergeJournalParts([partOf('a', [90, 60], true), partOf('b', [80, 70, 50, 40])], 100)
  expect([timesOf(page), page.totalCount]).toEqual([[90, 80, 70, 60], 11])
  expect(readPlace(page.next!)).toEqual({ at: 60, instant: 60, instance: 'a', id: 1 })
})

test('a page that holds all has no next one, and one at its limit has', () => {
  const parts = [partOf('a', [90, 60]), partOf('b', [80])]
  expect(mergeJournalParts(parts, 3)).not.toHaveProperty('next')
  expect(timesOf(mergeJournalParts(parts, 2))).toEqual([90, 80])
  expect(readPlace(mergeJournalParts(parts, 2).next!)).toMatchObject({ at: 80, instance: 'b' })
  expect(mergeJournalParts([], 5)).toEqual({ entries: [], totalCount: 0 })
})

test.each(['', '1-2-3', '1-2-3-', '1-2-3-a b', '1.5-2-3-a', '-1-2-3-a', `1-2-3-${'a'.repeat(101)}`])(
  '%s is no place',
  (text) => {
    expect(readPlace(text)).toBeUndefined()
  },
)
