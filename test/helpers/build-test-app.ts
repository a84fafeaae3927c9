import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { buildApp } from '../../src/app.ts'
import type { EventsOptions } from '../../src/events/plugin.ts'
import { DEFAULT_WORLD, type Ports, type Worlds } from '../../src/ports.ts'
import { createZipCodeTable } from '../../src/adapters/node/zip-codes.ts'
import { readFixtures } from '../../src/seed/fixtures.ts'
import { createMemoryWorlds } from '../../src/worlds/memory-worlds.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'

const ROOT = join(import.meta.dirname, '../..')
const FIXTURES = join(ROOT, 'fixtures')
const docs = {
  examplesFile: join(ROOT, 'openapi/examples.json'),
  pageFolder: join(ROOT, 'node_modules/swagger-ui-dist'),
}
const fixtures = await readFixtures(FIXTURES)
const zipCodes = createZipCodeTable(join(FIXTURES, 'zip-codes.tsv.gz'))

/** A Wednesday noon in New York, clear of daylight-saving changes. */
export const START = '2026-05-06T16:00:00.000Z'

export interface TestApp extends Ports {
  app: FastifyInstance
  /** Real time as the server sees it; `clockControl` moves the world's clock and does what falls due. */
  clock: ManualClock
  worlds: Worlds
}

export interface TestAppOptions {
  startsAt?: string
  seed?: string
  events?: EventsOptions
  /** Milliseconds. */
  subscriptionTtl?: number | undefined
  /** Milliseconds that event streams ask cut-off clients to wait. */
  streamRetryMs?: number
  /** Folder of the console's files. */
  console?: string | undefined
}

/**
 * A server with the default fixtures, a clock that stands still and known ids; every reply is checked by its schema.
 */
export function buildTestApp(options: TestAppOptions = {}): TestApp {
  const test = makeTestApp(options)
  onTestFinished(test.close)
  return test
}

/** The same for several tests; whoever makes it closes it. */
export function makeTestApp({
  startsAt = START,
  seed = 'test',
  events = {},
  subscriptionTtl,
  streamRetryMs = 3000,
  console,
}: TestAppOptions = {}): TestApp & { close(): Promise<void> } {
  const clock = createManualClock(startsAt)
  const worlds = createMemoryWorlds(
    { fixtures, zipCodes, clock, streamRetryMs, subscriptionTtl },
    { name: DEFAULT_WORLD, seed },
  )
  const app = buildApp({
    worlds,
    events,
    control: { open: true, worlds, version: 'test' },
    docs,
    verifyReplies: true,
    ...(console !== undefined && { console: { folder: console } }),
  })
  const close = async () => {
    await app.close()
    await worlds.close()
  }
  return { ...worlds.find(DEFAULT_WORLD)!, app, clock, worlds, close }
}

/** Listens on a free port of loopback; gives the address. */
export async function listen(app: FastifyInstance): Promise<string> {
  return app.listen({ port: 0, host: '127.0.0.1' })
}

export const asWeb = (profileId: string) => ({ 'request-source': 'vendor.com', 'vendorus-profId': profileId })
export const asApp = (guid: string, source = 'splus') => ({ 'request-source': source, 'vendorus-GUID': guid })
export const asGuest = () => ({ 'request-source': 'vendor.com' })
/** Dealers of the fixtures: company C100 and C200. */
export const asErin = () => asWeb('dealer-erin')
export const asFrank = () => asWeb('dealer-frank')
