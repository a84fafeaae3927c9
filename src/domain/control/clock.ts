import type { ClockState, Ports } from '../../ports.ts'
import type { ClockAdvance, ClockChange } from '../../schemas/control/clock.ts'
import { findDuration } from '../../schemas/duration.ts'
import { DomainError } from '../errors.ts'
import { addDuration } from '../time.ts'

type Clocked = Pick<Ports, 'clockControl'>

/** The last instant that ISO 8601 text of four-digit years can say. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** `P0D`, which moves the clock nowhere, is a duration here. */
const NOTHING = { months: 0, milliseconds: 0 }

export function readClock({ clockControl }: Clocked) {
  return toWire(clockControl.read())
}

/** Sets any time, earlier ones too; what falls due on the way forward has happened when it resolves. */
export async function setClock({ clockControl }: Clocked, { now, frozen }: ClockChange) {
  return toWire(await clockControl.set({ now: now === undefined ? undefined : Date.parse(now), frozen }))
}

/** Goes forward by a duration; calendar months and years count from the clock's own date. */
export async function advanceClock({ clockControl }: Clocked, { duration }: ClockAdvance) {
  const { now } = clockControl.read()
  const milliseconds =
    typeof duration === 'number' ? duration : addDuration(now, findDuration(duration) ?? NOTHING) - now
  if (now + milliseconds > LAST) {
    throw new DomainError('invalid-input', 'the clock would leave the year 9999', { source: 'our choice' })
  }
  return toWire(await clockControl.advance(milliseconds))
}

export async function resetClock({ clockControl }: Clocked) {
  return toWire(await clockControl.reset())
}

function toWire({ now, frozen, offsetMs }: ClockState) {
  return { now: new Date(now).toISOString(), frozen, offsetMs }
}
