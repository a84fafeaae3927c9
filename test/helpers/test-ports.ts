import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createZipCodeTable } from '../../src/server/adapters/node/zip-codes.ts'
import type { Ports } from '../../src/server/ports.ts'
import { vendorProfile } from '../../src/contract/records/control/vendor-profile.ts'
import { DEFAULT_WORLD } from '../../src/contract/records/control/world.ts'
import { openFixtures, readFixtures } from '../../src/server/seed/fixtures.ts'
import { createMemoryWorlds } from '../../src/server/worlds/memory-worlds.ts'
import type { WorldRegistry } from '../../src/server/worlds/registry.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures')
const fixtures = await readFixtures(FIXTURES)
/** Tests whose worlds start at the same time share these records. */
const recordsAt = openFixtures(fixtures)
const zipCodes = createZipCodeTable(join(FIXTURES, 'zip-codes.tsv.gz'))

/** The choices that differ from the defaults, which `npm run test:choices` sets. */
const changed = process.env['TEST_CHOICES']
const profile =
  changed === undefined ? undefined : vendorProfile.parse({ profile: 'custom', choices: JSON.parse(changed) })

/** Wednesday noon in New York, on a date that is not close to a daylight-saving change. */
export const START = '2026-05-06T16:00:00.000Z'

export interface TestPorts extends Ports {
  /**
   * The real time, as the worlds see it. To change the clock of a world and run scheduled tasks, use `clockControl`.
   */
  clock: ManualClock
  worlds: WorldRegistry
}

export interface TestPortsOptions {
  startsAt?: string
  seed?: string
  subscriptionTtl?: number | undefined
  streamRetryMs?: number
}

/** The clock is paused, and IDs are predictable. */
export function buildTestPorts(options: TestPortsOptions = {}): TestPorts {
  const ports = makeTestPorts(options)
  onTestFinished(() => ports.worlds.close())
  return ports
}

export function makeTestPorts({
  startsAt = START,
  seed = 'test',
  streamRetryMs = 3000,
  subscriptionTtl,
}: TestPortsOptions = {}): TestPorts {
  const clock = createManualClock(startsAt)
  const worlds = createMemoryWorlds(
    { fixtures, recordsAt, zipCodes, clock, streamRetryMs, subscriptionTtl, profile },
    { name: DEFAULT_WORLD, seed },
  )
  return { ...worlds.find(DEFAULT_WORLD)!, clock, worlds }
}
