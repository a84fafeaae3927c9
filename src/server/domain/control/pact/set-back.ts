import type { Ports } from '../../../ports.ts'
import type { ClockControl, ClockState } from '../../../ports/clock.ts'

/** A moved clock is set back later; its former state goes with its world. */
const before = new WeakMap<ClockControl, ClockState>()

const PREFIX = 'pact: '

export function toFaultName(state: string): string {
  return `${PREFIX}${state}`.slice(0, 100)
}

/** Remembers how the clock stood first. */
export async function holdClock({ clockControl }: Ports, now: number): Promise<void> {
  if (!before.has(clockControl)) before.set(clockControl, clockControl.read())
  await clockControl.set({ now, frozen: true })
}

export async function takeBack({ clockControl, faults }: Ports): Promise<void> {
  for (const { name, faultId } of faults.list()) if (name?.startsWith(PREFIX)) faults.delete(faultId)
  const then = before.get(clockControl)
  if (!then) return
  before.delete(clockControl)
  const { now, frozen, offsetMs } = then
  if (frozen) await clockControl.set({ now, frozen })
  else if (offsetMs === 0) await clockControl.reset()
  else await clockControl.set({ now: clockControl.read().realNow + offsetMs, frozen })
}
