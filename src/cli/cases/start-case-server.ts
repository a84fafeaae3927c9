import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { UnusableCase, type CaseHeader, UNKNOWN_START } from '#contract/files/case.ts'
import type { FixtureWorld, CaseServer, CaseWorld } from '#tools/cases/player/case-server.ts'
import { collectionNames, collections } from '#contract/records/collections.ts'
import { advanceRequests } from '#server/domain/appointments/lifecycles.ts'
import { readConfig } from '#server/config.ts'
import type { Ports } from '#server/ports.ts'
import type { KnownFixtures } from '#server/ports/worlds.ts'
import { DEFAULT_WORLD } from '#contract/records/control/world.ts'
import type { Fault } from '#contract/records/control/fault.ts'
import { CLOCK_RANGE, isClockTime } from '#contract/records/control/clock.ts'
import type { JournalEntry } from '#contract/records/control/journal.ts'
import { type Snapshot, type StoredRecord, toSnapshotLines } from '#contract/records/snapshot.ts'
import { readSnapshot } from '#contract/records/snapshot-reading.ts'
import { startServer } from '#server/server.ts'
import { createWorldClient, type WorldClient } from '#tools/client/world-client.ts'
import { createRequester } from '#tools/cases/player/undici-request.ts'

/** Maximum milliseconds for a clock change, which takes a long time if many tasks are due. */
const LONGEST_MOVE = 30_000

/** `settings` contains environment variables that select the storage of the world. */
export async function startCaseServer(
  { publicUrl, world, head, fixtures: named, origin, start }: CaseHeader,
  settings: Readonly<Record<string, string>> = {},
): Promise<CaseServer> {
  if (origin) assertBeginning(start)
  const ownSettings = {
    PORT: '0',
    HOST: '127.0.0.1',
    PUBLIC_URL: publicUrl,
    FIXTURES: named?.name ?? (origin && 'default'),
  }
  const server = await startServer(readConfig({ ...ownSettings, ...settings }))
  try {
    if (world !== DEFAULT_WORLD && !server.worlds.find(world)) await server.worlds.create({ name: world })
  } catch (error) {
    await server.close()
    throw error
  }
  const { fixtures } = server.worlds
  const headers: Record<string, string> = world === DEFAULT_WORLD ? {} : { 'x-world': world }
  const client = createWorldClient(server.url, {
    key: server.controlKey,
    fetch: (target, init) => server.fetch(new Request(target, init)),
    ...(world !== DEFAULT_WORLD && { world }),
  })
  // The server always writes UTF-8, even if the content type set by a fault specifies another charset.
  const requester = createRequester(server.url, { charset: 'utf-8' })
  return {
    // Some requests specify their world in a header instead of the path.
    request: (call) =>
      requester.request(call.prefix === undefined ? { ...call, headers: { ...call.headers, ...headers } } : call),
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    digestOfFixtures: async (name) => (fixtures?.name === name ? fixtures.sha256() : undefined),
    openFixtures: (start) => openFixtures(fixtures, start),
    readSnapshot: (value) => readOrigin(server.worlds.find(world)!, value),
    async restore(snapshot) {
      const ports = prepareForReplay(await server.worlds.restore(world, snapshot, head))
      return toCaseWorld(ports, client, server.url)
    },
    takeSnapshot: client.snapshot,
    async close() {
      await requester.close()
      await server.close()
    },
  }
}

/** The clock of the world starts at the time of the first step. */
function assertBeginning(start: string): void {
  if (start === UNKNOWN_START) throw new UnusableCase('it has no steps')
  if (!isClockTime(Date.parse(start))) throw new UnusableCase(`the timestamp of its first step ${CLOCK_RANGE}`)
}

async function openFixtures(fixtures: KnownFixtures | undefined, start: string): Promise<FixtureWorld> {
  const [records, keys]: [Record<string, readonly StoredRecord[]>, Record<string, string>] = [{}, {}]
  for (const name of collectionNames) {
    keys[name] = collections[name].key
    records[name] = (await fixtures?.read(name, Date.parse(start))) ?? []
  }
  return { records, keys }
}

async function readOrigin(ports: Ports, value: Readonly<Record<string, unknown>>): Promise<Snapshot> {
  const read = await readSnapshot(toSnapshotLines(value), {
    sha256: ports.digests.sha256,
    realNow: ports.clockControl.read().realNow,
    isOfFixtures: ports.blobs.isOfFixtures,
  })
  if ('issues' in read) {
    const [issue] = read.issues
    throw new UnusableCase(`its snapshot cannot be used: ${issue?.target} ${issue?.rule}`)
  }
  return read.snapshot
}

/** The world must not vary responses, because those in a case have no variation. Its faults must not wait. */
function prepareForReplay(ports: Ports): Ports {
  const { faults, streams } = ports
  const add = streams.add.bind(streams)
  streams.add = (stream) => {
    const injectFault = stream.injectFault.bind(stream)
    stream.injectFault = (chaos) => injectFault({ ...chaos, ms: 0 })
    add(stream)
  }
  ports.variations = { read: () => undefined, set: () => {}, setProfile: () => {}, next: () => 0 }
  ports.faults = { ...faults, of: (operation) => faults.of(operation).map(withoutWaiting) }
  return ports
}

const FASTEST = 10_000_000

/** Steps are replayed one at a time, so waiting changes no result. The fault still generates its random values. */
function withoutWaiting({ respond, delayMs, ...fault }: Fault): Fault {
  const isRange = typeof delayMs === 'object'
  const delay = isRange ? ('min' in delayMs ? { min: 0, max: 0 } : { p50: 1, p99: 1 }) : 0
  // For the client, both responses are a connection that closes without a response.
  const given = respond && 'timeout' in respond ? { reset: true as const } : respond
  const sent = given && 'throttle' in given ? { throttle: FASTEST } : given
  return { ...fault, delayMs: delay, ...(sent && { respond: sent }) }
}

function toCaseWorld(ports: Ports, client: WorldClient, url: string): CaseWorld {
  const { clockControl, store, streams, journal } = ports
  return {
    url,
    setClock: (now) => setClock(clockControl, now),
    findMails: () => store.outbox.find({ orderBy: { field: 'sentAt', direction: 'asc' } }),
    async findMail(messageId) {
      // Advances service requests first, because this may send the email.
      if (ports.world.choices['ticket-progress'] === 'auto') await advanceRequests(ports)
      return store.outbox.get(messageId)
    },
    hasStream: (subscriptionId) => streams.find(subscriptionId) !== undefined,
    readRecords: () => readRecords(store),
    findReason: (requestId) => findReason(journal, requestId),
    profile: () => ports.world.profile,
    async setProfile(profile) {
      await client.profile.set(profile).catch(({ message }: Error) => {
        throw new UnusableCase(`the profile cannot be used: ${message}`)
      })
    },
  }
}

async function setClock(clock: Ports['clockControl'], now: number): Promise<void> {
  const state = clock.read()
  if (state.now === now && state.frozen) return
  if (!isClockTime(now)) throw new UnusableCase(`its timestamp ${CLOCK_RANGE}`)
  const late = new AbortController()
  const move = clock.set({ now, frozen: true })
  const hasMoved = await Promise.race([move.then(() => true), wait(LONGEST_MOVE, false, { signal: late.signal })])
  late.abort()
  if (!hasMoved) throw new UnusableCase('too many scheduled events are due before it')
}

async function readRecords(store: Ports['store']): Promise<Map<string, Map<string, StoredRecord>>> {
  const kept = new Map<string, Map<string, StoredRecord>>()
  for (const name of collectionNames) {
    if (name === 'counters' || name === 'settings') continue
    const { key } = collections[name] as { key: string }
    const records: readonly StoredRecord[] = await store.collection(name).find()
    kept.set(name, new Map(records.map((record) => [String(record[key]), record])))
  }
  return kept
}

/** Number of the newest entries to search. Only frames that a request caused can follow the entry of the request. */
const MOST_BEHIND = 50

function findReason(journal: Ports['journal'], requestId: string): JournalEntry['why'] {
  const newest = journal.newest()
  for (let id = newest; id > Math.max(0, newest - MOST_BEHIND); id--) {
    const record = journal.find(id)
    if (record?.requestId === requestId) return record.read(id).why
  }
  return undefined
}
