import type { Ports } from '#server/ports.ts'
import type { ClockMove, ClockState } from '#server/ports/clock.ts'
import { type ClockAdvance, type ClockChange, CLOCK_RANGE, isClockTime } from '#contract/records/control/clock.ts'
import { findDuration } from '#contract/records/duration.ts'
import { DomainError } from '../errors.ts'
import { addDuration } from '../time.ts'

/** `P0D` moves the clock nowhere, and is a duration here. */
const NOTHING = { months: 0, milliseconds: 0 }

export function readClock({ clockControl }: Ports) {
  return toWire(clockControl.read())
}

/** Takes earlier times too; what falls due on the way forward has happened when it resolves. */
export async function setClock({ clockControl }: Ports, { now, frozen }: ClockChange) {
  return toMove(await clockControl.set({ now: now === undefined ? undefined : Date.parse(now), frozen }))
}

/** Calendar months and years count from the clock's own date. */
export async function advanceClock({ clockControl }: Ports, { duration }: ClockAdvance) {
  const { now } = clockControl.read()
  const milliseconds =
    typeof duration === 'number' ? duration : addDuration(now, findDuration(duration) ?? NOTHING) - now
  if (!isClockTime(now + milliseconds))
    throw new DomainError('invalid-input', `the clock's time ${CLOCK_RANGE}`, { source: 'our choice: clock' })
  return toMove(await clockControl.advance(milliseconds))
}

export async function resetClock({ clockControl }: Ports) {
  return toMove(await clockControl.reset())
}

function toMove(move: ClockMove) {
  const fellDue = move.fellDue.map(({ at, what }) => ({ at: new Date(at).toISOString(), what }))
  return { ...toWire(move), due: move.due, fellDue }
}

function toWire({ now, frozen, offsetMs }: ClockState) {
  return { now: new Date(now).toISOString(), frozen, offsetMs }
}
