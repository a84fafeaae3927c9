import type { Ports } from '#server/ports.ts'
import type { Worlds } from '#server/ports/worlds.ts'
import { yielding } from '#server/ports/yielding.ts'
import { toBase64 } from '#contract/records/base64.ts'
import { collectionNames } from '#contract/records/collections.ts'
import { type Snapshot, toClockPlace } from '#contract/records/snapshot.ts'
import { SNAPSHOT_VERSION } from '#contract/records/snapshot-migrations.ts'
import { parseSnapshot, type ReadSnapshot, readSnapshot } from '#contract/records/snapshot-reading.ts'
import { finding, invalidInput, issueFinding } from '#server/domain/errors.ts'

type StoredRecord = Readonly<Record<string, unknown>>

/** The order depends only on the content, so equal worlds give equal snapshots. */
export async function takeSnapshot(ports: Ports, signal?: AbortSignal): Promise<Snapshot> {
  const records = await readAll(ports, signal)
  const seed = ports.state.recorder?.seed ?? ports.world.seed
  const images = (records['symptomImages'] ?? []).map(({ sha256 }) => String(sha256))
  return {
    schemaVersion: SNAPSHOT_VERSION,
    ...(seed !== undefined && { seed }),
    clock: toClockPlace(ports.clockControl.read()),
    // A profile brings its own faults back.
    faults: ports.faults.list().filter(({ profile }) => profile === undefined),
    records,
    blobs: await readBlobs(ports, [...new Set(images)].sort(), signal),
  }
}

/** Gives a snapshot whose faults name operations as the journal does, or refuses it. */
export type NameOperations = (read: ReadSnapshot) => Promise<Snapshot>

/** Everything is checked before anything changes, so the world is restored as a whole or not at all. */
export async function restoreSnapshot(
  { worlds, ports }: { worlds: Worlds; ports: Ports },
  given: Uint8Array,
  nameOperations: NameOperations,
): Promise<void> {
  const read = await readSnapshot(yielding(parseSnapshot(given)), {
    sha256: ports.digests.sha256,
    realNow: ports.clockControl.read().realNow,
    isOfFixtures: ports.blobs.isOfFixtures,
    knownOnly: true,
  })
  if ('issues' in read) {
    throw invalidInput(
      read.issues.map(({ code, rule, target }) =>
        code === 'Malformed'
          ? finding(target, rule, { code: 'MalformedBody', source: 'our choice: json-bodies' })
          : issueFinding({ code, rule }, target),
      ),
    )
  }
  await worlds.restore(ports.world.name, await nameOperations(read))
}

/**
 * One transaction reads all collections, so that no write falls between two; each is found in the order of its keys.
 */
async function readAll({ store }: Ports, signal?: AbortSignal): Promise<Record<string, StoredRecord[]>> {
  return store.transaction(async (tx) => {
    const all: Record<string, StoredRecord[]> = Object.fromEntries(collectionNames.map((name) => [name, []]))
    for await (const { name, offset } of yielding(pagesOf(all), signal)) {
      const page: readonly StoredRecord[] = await tx.collection(name).find({ offset, limit: PAGE })
      all[name]!.push(...page)
    }
    // Variation is no part of a world's content.
    all['settings'] = all['settings']!.filter(({ name }) => name !== 'variation')
    return all
  })
}

const PAGE = 2000

/** A collection has another page while each one before was full. */
function* pagesOf(read: Readonly<Record<string, readonly StoredRecord[]>>) {
  for (const name of collectionNames) {
    for (let offset = 0; read[name]!.length === offset; offset += PAGE) yield { name, offset }
  }
}

async function readBlobs(
  { blobs }: Ports,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for await (const name of yielding(names, signal)) {
    const bytes = await blobs.get(name)
    if (bytes) found.set(name, toBase64(bytes))
  }
  return found
}
