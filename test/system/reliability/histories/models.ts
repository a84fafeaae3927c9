import { findViolation, type Model, type Operation } from './linearizability.ts'

/** Calls for a record with one key. An empty string means that there is no record. */
export type RegisterCall = { write: string } | 'read'
/** Calls for the bookings of one slot. A booking is cancelled only after its response has arrived. */
export type PlacesCall = 'book' | 'cancel' | 'look'

const register: Model<string, RegisterCall, string> = {
  start: '',
  step(state, call, seen) {
    if (call !== 'read') return call.write
    return seen === undefined || seen === state ? state : undefined
  },
}

/** The state is the number of booked places. `look` returns the number of free places. */
function placesOf(capacity: number): Model<number, PlacesCall, boolean | number> {
  return {
    start: 0,
    step(taken, call, seen) {
      if (call === 'look') return seen === capacity - taken ? taken : undefined
      if (call === 'cancel') return taken > 0 ? taken - 1 : undefined
      if (seen === false) return taken === capacity ? taken : undefined
      return taken < capacity ? taken + 1 : undefined
    },
  }
}

/** Written values are unique, so a write without a response can be ignored if its value was never read. */
export function checkRegister(history: readonly Operation<RegisterCall, string>[]): string[] {
  const seen = new Set(history.map((each) => each.seen))
  const counts = history.filter(
    ({ call, completed }) => completed < Infinity || (call !== 'read' && seen.has(call.write)),
  )
  return tell(findViolation(counts, register))
}

/**
 * Finds results that no order can explain, and bookings that were lost. `kept` contains the bookings that exist at the
 * end.
 */
export function checkSlots(
  history: readonly Operation<PlacesCall, boolean | number>[],
  capacity: number,
  { kept, booked, cancelled }: { kept: readonly string[]; booked: readonly string[]; cancelled: readonly string[] },
): string[] {
  const counts = history.filter(({ call, completed }) => completed < Infinity || call !== 'look')
  return [
    ...tell(findViolation(counts, placesOf(capacity))),
    ...(kept.length > capacity ? [`${kept.length} of ${capacity} places are booked`] : []),
    ...(new Set(kept).size < kept.length ? ['a ticket holds two places'] : []),
    ...booked.filter((each) => !kept.includes(each)).map((each) => `lost: booking ${each}`),
    ...cancelled.filter((each) => kept.includes(each)).map((each) => `cancelled, and kept: booking ${each}`),
  ]
}

function tell(violation: Operation<unknown> | undefined): string[] {
  if (!violation) return []
  const { client, call, seen, invoked, completed } = violation
  const what = `${client}: ${JSON.stringify(call)} saw ${JSON.stringify(seen)}`
  return [`no order explains ${what}, from ${invoked.toFixed(0)} to ${completed.toFixed(0)} ms`]
}
