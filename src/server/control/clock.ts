import { clockOperations } from '#contract/control/clock.ts'
import { CLOCK_RANGE, isClockTime } from '#contract/records/control/clock.ts'
import { findDuration } from '#contract/records/duration.ts'
import { DomainError } from '../domain/errors.ts'
import { addDuration } from '../domain/time.ts'
import type { Ports } from '../ports.ts'
import type { ClockMove, ClockState } from '../ports/clock.ts'
import { implementControl } from './context.ts'

export const clock = implementControl(clockOperations, {
  readClock: async ({ ports }) => readClock(ports),

  /** The time may be earlier than the current one. When the returned promise resolves, all due tasks have run. */
  setClock: async ({ ports: { clockControl }, body: { now, frozen } }) =>
    toMove(await clockControl.set({ now: now === undefined ? undefined : Date.parse(now), frozen })),

  /** Months and years are added to the clock's current date on the calendar. */
  advanceClock: async ({ ports: { clockControl }, body: { duration } }) => {
    const { now } = clockControl.read()
    const milliseconds =
      typeof duration === 'number' ? duration : addDuration(now, findDuration(duration) ?? NOTHING) - now
    if (!isClockTime(now + milliseconds))
      throw new DomainError('invalid-input', `the clock's time ${CLOCK_RANGE}`, { source: 'our choice: clock' })
    return toMove(await clockControl.advance(milliseconds))
  },

  resetClock: async ({ ports }) => toMove(await ports.clockControl.reset()),
})

export function readClock({ clockControl }: Ports) {
  return toWire(clockControl.read())
}

/** Unlike other durations, `P0D` is valid here. It does not move the clock. */
const NOTHING = { months: 0, milliseconds: 0 }

function toMove(move: ClockMove) {
  const dueTasks = move.dueTasks.map(({ at, what }) => ({ at: new Date(at).toISOString(), what }))
  return { ...toWire(move), due: move.due, dueTasks }
}

function toWire({ now, frozen, offsetMs }: ClockState) {
  return { now: new Date(now).toISOString(), frozen, offsetMs }
}
