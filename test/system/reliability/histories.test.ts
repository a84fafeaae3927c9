import { expect, test } from 'vitest'
import { findViolation, type Operation } from './histories/linearizability.ts'
import { checkSlots, checkRegister, type PlacesCall, type RegisterCall } from './histories/models.ts'
import { type Arrival, type Emission, checkStreams } from './histories/streams.ts'

type Row<Call, Seen> = readonly [invoked: number, completed: number, call: Call, seen?: Seen]

function historyOf<Call, Seen>(rows: readonly Row<Call, Seen>[]): Operation<Call, Seen>[] {
  return rows.map(([invoked, completed, call, seen], i) => ({ client: `c${i}`, call, seen, invoked, completed }))
}

const registers: Record<string, readonly Row<RegisterCall, string>[]> = {
  'reads return the last write': [
    [0, 1, { write: 'a' }],
    [2, 3, 'read', 'a'],
    [4, 5, { write: 'b' }],
    [6, 7, 'read', 'b'],
  ],
  'a read during a write returns the old or the new value': [
    [0, 1, { write: 'a' }],
    [2, 9, { write: 'b' }],
    [3, 4, 'read', 'a'],
    [5, 6, 'read', 'b'],
  ],
  'a write without a response takes effect late': [
    [0, 1, { write: 'a' }],
    [2, Infinity, { write: 'b' }],
    [3, 4, 'read', 'a'],
    [5, 6, { write: 'c' }],
    [7, 8, 'read', 'c'],
    [9, 10, 'read', 'b'],
  ],
  'a write without a response never takes effect': [
    [0, Infinity, { write: 'a' }],
    [1, 2, 'read', ''],
  ],
}
const wrongRegisters: Record<string, readonly Row<RegisterCall, string>[]> = {
  'an acknowledged write is lost': [
    [0, 1, { write: 'a' }],
    [2, 3, 'read', ''],
  ],
  'a read returns an old value': [
    [0, 1, { write: 'a' }],
    [2, 3, { write: 'b' }],
    [4, 5, 'read', 'a'],
  ],
  'of two reads during a write, the second returns the older value': [
    [0, 1, { write: 'a' }],
    [2, 9, { write: 'b' }],
    [3, 4, 'read', 'b'],
    [5, 6, 'read', 'a'],
  ],
  'a write without a response takes effect twice': [
    [0, Infinity, { write: 'a' }],
    [1, 2, 'read', 'a'],
    [3, 4, { write: 'b' }],
    [5, 6, 'read', 'a'],
  ],
  'a read returns a value that is written only later': [
    [0, 1, 'read', 'a'],
    [2, 3, { write: 'a' }],
  ],
}

test.each(Object.entries(registers))('the check of registers accepts a history in which %s', (_, rows) => {
  expect(checkRegister(historyOf(rows))).toEqual([])
})

test.each(Object.entries(wrongRegisters))('the check of registers reports a history in which %s', (_, rows) => {
  expect(checkRegister(historyOf(rows))).toEqual([expect.stringContaining('no order explains')])
})

const places: Record<string, readonly Row<PlacesCall, boolean | number>[]> = {
  'two clients book the last place and one succeeds': [
    [0, 1, 'book', true],
    [2, 9, 'book', true],
    [3, 8, 'book', false],
    [10, 11, 'look', 0],
  ],
  'a cancelled place is booked again': [
    [0, 1, 'book', true],
    [2, 3, 'book', true],
    [4, 9, 'cancel', true],
    [5, 8, 'book', true],
  ],
  'a booking without a response takes a place': [
    [0, 1, 'book', true],
    [2, Infinity, 'book'],
    [3, 4, 'look', 1],
    [5, 6, 'book', false],
    [7, 8, 'look', 0],
  ],
}
const wrongPlaces: Record<string, readonly Row<PlacesCall, boolean | number>[]> = {
  'a place is booked twice': [
    [0, 1, 'book', true],
    [2, 9, 'book', true],
    [3, 8, 'book', true],
  ],
  'a booking is rejected while a place is free': [
    [0, 1, 'book', true],
    [2, 3, 'book', false],
  ],
  'a booked place is reported as free': [
    [0, 1, 'book', true],
    [2, 3, 'look', 2],
  ],
}
const none = { kept: [], booked: [], cancelled: [] }

test.each(Object.entries(places))('the check of bookings accepts a history in which %s', (_, rows) => {
  expect(checkSlots(historyOf(rows), 2, none)).toEqual([])
})

test.each(Object.entries(wrongPlaces))('the check of bookings reports a history in which %s', (_, rows) => {
  expect(checkSlots(historyOf(rows), 2, none)).toEqual([expect.stringContaining('no order explains')])
})

test('the check of bookings reports stored bookings that differ from the responses', () => {
  expect(checkSlots([], 2, { kept: ['b'], booked: ['a', 'b'], cancelled: [] })).toEqual(['lost: booking a'])
  expect(checkSlots([], 2, { kept: ['a'], booked: [], cancelled: ['a'] })).toEqual(['cancelled, and kept: booking a'])
  expect(checkSlots([], 2, { kept: ['a', 'b', 'c'], booked: [], cancelled: [] })).toEqual(['3 of 2 places are booked'])
  expect(checkSlots([], 2, { kept: ['a', 'a'], booked: ['a'], cancelled: [] })).toEqual(['a ticket holds two places'])
})

const emissions: Emission[] = [
  { value: 1, invoked: 10, completed: 11 },
  { value: 2, invoked: 12, completed: 15 },
  { value: 3, invoked: 13, completed: Infinity },
  { value: 4, invoked: 16, completed: 17 },
]
const fresh: Arrival = { kind: 'fresh', at: 5 }
const event = (value: number, sequence = value): Arrival => ({ kind: 'event', value, sequence })

test.each<[string, Arrival[][]]>([
  ['all events arrive', [[fresh, event(1), event(2), event(3), event(4)]]],
  ['an event without a response never arrives', [[fresh, event(1), event(2), event(4)]]],
  [
    'lost events are announced by a gap',
    [
      [fresh, event(1), { kind: 'gap', sequence: 2 }, event(4)],
      [fresh, event(1), event(2), event(4)],
    ],
  ],
  ['a stream starts later', [[{ kind: 'fresh', at: 14 }, event(4)]]],
  ['events published at the same time change their order', [[fresh, event(1), event(3, 2), event(2, 3), event(4)]]],
])('the check of streams accepts a history in which %s', (_, readers) => {
  expect(checkStreams(emissions, readers)).toEqual([])
})

test.each<[string, Arrival[][], string]>([
  ['an event arrives twice', [[fresh, event(1), event(1, 2), event(2, 3), event(4)]], 'got event 1 twice'],
  ['an event arrives late', [[fresh, event(2), event(1), event(4)]], 'got 1 after 2'],
  ['an event is lost', [[fresh, event(1), event(4)]], 'never got event 2'],
  [
    'a gap announces a different event than the lost one',
    [
      [fresh, { kind: 'gap', sequence: 1 }, event(4)],
      [fresh, event(1), event(2), event(4)],
    ],
    'never got event 2',
  ],
  [
    'the sequence numbers contradict the order of publication',
    [[fresh, event(4, 1), event(1, 2), event(2, 3)]],
    'though it was published before',
  ],
  [
    'two readers receive the same event with different numbers',
    [
      [fresh, event(1), event(2), event(4)],
      [fresh, event(1), event(2), event(3), event(4, 5)],
    ],
    'two numbers',
  ],
  [
    'two events have the same number',
    [
      [fresh, event(1), event(2), event(4)],
      [fresh, event(1), event(3, 2), event(4)],
    ],
    'one number',
  ],
  [
    'an event arrives that was never published',
    [[fresh, event(1), event(2), event(4), event(9)]],
    'nobody published 9',
  ],
])('the check of streams reports a history in which %s', (_, readers, finding) => {
  expect(checkStreams(emissions, readers).join('\n')).toContain(finding)
})

test('the checks accept a valid history of 3,000 calls and report an invalid one', () => {
  const rows: Row<PlacesCall, boolean | number>[] = []
  let taken = 0
  for (let i = 0; i < 3000; i++) {
    const at = i * 2
    if (i % 100 === 99 && taken < 5) {
      rows.push([at, Infinity, 'book'])
      taken++
    } else if (taken === 5 && i % 3 === 0) {
      rows.push([at, at + 5, 'cancel', true])
      taken--
    } else if (taken < 5) {
      rows.push([at, at + 1.5, 'book', true])
      taken++
    } else rows.push([at, at + 1.5, 'book', false])
  }
  const history = historyOf(rows)
  const model = { start: 0, step: (state: number) => state }
  expect(findViolation(history, model)).toBeUndefined()
  expect(checkSlots(history, 5, none)).toEqual([])
  expect(checkSlots(history, 4, none)).not.toEqual([])
})
