import type { Ports } from '#server/ports.ts'
import type { Device } from '#contract/records/events/device.ts'
import { emitDeviceEvent } from './device-events.ts'

export const STEP = 1000

const MAX_DEVICES = 100

const PHASES = { weightSensing: 4, wash: 24, rinse: 16, spin: 12, finish: 8 }
const CYCLE = Object.entries(PHASES).flatMap(([phase, steps]) => Array.from({ length: steps }, () => phase))

/** The result depends only on the step, the devices and `random`, so that a world with a seed is reproducible. */
export async function simulateStep(ports: Ports, step: number): Promise<void> {
  const devices = await ports.store.devices.find({ limit: MAX_DEVICES })
  const chance = await ports.random.bytes('simulation', devices.length * 2)
  for (const [i, device] of devices.entries()) {
    const change = nextChange(device, step + i, chance[2 * i]! / 256, chance[2 * i + 1]! / 256)
    if (change) await emitDeviceEvent(ports, device.deviceId, change)
  }
}

interface Change {
  capability: string
  attribute: string
  value: string | number
  unit?: string
}

function nextChange(device: Device, step: number, luck: number, more: number): Change | undefined {
  const { main = {} } = device.components
  if (main['washerOperatingState']) return nextPhase(step, main)
  if (main['motionSensor'] && luck < 0.25) {
    const isActive = main['motionSensor']['motion']?.value === 'active'
    return { capability: 'motionSensor', attribute: 'motion', value: isActive ? 'inactive' : 'active' }
  }
  if (main['temperatureMeasurement'] && step % 3 === 0) {
    const { value, unit = 'C' } = main['temperatureMeasurement']['temperature'] ?? {}
    const drifted = drift(typeof value === 'number' ? value : 21, more)
    return { capability: 'temperatureMeasurement', attribute: 'temperature', value: drifted, unit }
  }
  return undefined
}

/** Changes the temperature by up to about 0.2 degrees, with a tendency towards 21 degrees. */
function drift(value: number, luck: number): number {
  const pull = (21 - value) / 20
  return Math.round((value + (luck - 0.5) * 0.5 + pull) * 10) / 10
}

function nextPhase(step: number, main: Device['components'][string]): Change | undefined {
  const phase = CYCLE[step % CYCLE.length]!
  if (main['washerOperatingState']?.['washerJobState']?.value === phase) return undefined
  return { capability: 'washerOperatingState', attribute: 'washerJobState', value: phase }
}
