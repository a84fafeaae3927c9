import { newSecret } from '../adapters/node/random.ts'
import type { WorldContent } from '../adapters/engine.ts'
import type { RecordSource, WorldRecords } from '../adapters/record.ts'
import { nodeDigests } from '../adapters/node/digests.ts'
import { createWorldClock, type WorldClock } from '../adapters/node/world-clock.ts'
import type { Clock, WorldPlan } from '../ports.ts'
import { type CollectionName, collectionNames } from '../schemas/collections.ts'
import { recordsOf, type Snapshot } from '../schemas/snapshot.ts'
import { type Fixtures, resolveFixtures } from '../seed/fixtures.ts'

/** What a new world holds, and when it begins. */
export function createBeginnings({ fixtures, clock: real }: { fixtures: Fixtures; clock: Clock }) {
  let shared: ReturnType<typeof shareFixtures> | undefined
  return (plan: WorldPlan, snapshot?: Snapshot): WorldContent & { clock: WorldClock } => {
    const clock = createWorldClock(real, plan)
    if (snapshot) clock.restore(toClockState(snapshot.clock))
    const start = clock.now()
    // Where all worlds are kept ones, none begins.
    if (!snapshot) shared ??= shareFixtures(fixtures)
    const secret = plan.seed === undefined ? newSecret(32) : nodeDigests.sha256(`secret ${plan.seed}`)
    const records: WorldRecords = new Map<CollectionName, RecordSource>([
      ['settings', [{ name: 'secret', value: secret }]],
      ...(snapshot ? namedRecords(snapshot) : [...shared!, ...datedRecords(fixtures, start)]),
    ])
    return { clock, records, blobs: blobsOf(snapshot) }
  }
}

/** Where a kept clock stands. */
export function toClockState(clock: Snapshot['clock']) {
  return 'frozenAt' in clock ? { offsetMs: 0, frozenAt: Date.parse(clock.frozenAt) } : { ...clock, frozenAt: null }
}

function datedRecords(fixtures: Fixtures, start: number) {
  return [...fixtures.dated].map((name) => [name, () => resolveFixtures(fixtures, name, start)] as const)
}

/** What a snapshot says of a collection is all of it; one it does not name is empty. */
function namedRecords(snapshot: Snapshot) {
  const named = collectionNames.filter((name) => recordsOf(snapshot, name).length > 0)
  return named.map((name) => [name, recordsOf(snapshot, name)] as const)
}

function blobsOf(snapshot: Snapshot | undefined): [string, Uint8Array][] {
  return Object.entries(snapshot?.blobs ?? {}).map(([digest, text]) => [digest, Buffer.from(text, 'base64')])
}

/** The fixtures without dates, which every world starts from. */
function shareFixtures(fixtures: Fixtures) {
  const undated = collectionNames.filter((name) => fixtures.records.has(name) && !fixtures.dated.has(name))
  return undated.map((name) => [name, resolveFixtures(fixtures, name, 0)] as const)
}
