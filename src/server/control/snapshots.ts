import { Readable } from 'node:stream'
import { snapshotOperations } from '#contract/control/snapshots.ts'
import { type CollectionName, collectionNames } from '#contract/records/collections.ts'
import type { Fault } from '#contract/records/control/fault.ts'
import { readStoredProfile } from '#contract/records/control/vendor-profile.ts'
import {
  recordsOf,
  SNAPSHOT_TYPE,
  type Snapshot,
  type StoredRecord,
  toClockPlace,
  type WritableSnapshot,
  writeSnapshot,
  SNAPSHOT_VERSION,
} from '#contract/records/snapshot.ts'
import { parseSnapshot, type ReadSnapshot, readSnapshot } from '#contract/records/snapshot-reading.ts'
import { finding, invalidInput, issueFinding } from '../domain/errors.ts'
import { gather, signalWhileHeard } from '../http/connection/client-left.ts'
import type { KnownPath } from '../http/known-paths.ts'
import type { Ports } from '../ports.ts'
import type { Worlds } from '../ports/worlds.ts'
import { yielding } from '../ports/yielding.ts'
import { toKnownProfile } from './choices.ts'
import { type ControlContext, implementControl } from './context.ts'
import { toKnownFault } from '../chaos/known-operations.ts'

export function snapshots({ worlds, jobs }: ControlContext) {
  return implementControl(snapshotOperations, {
    takeSnapshot: async (request, reply) => {
      const signal = signalWhileHeard(request, reply)
      const snapshot = await jobs.run(() => takeSnapshot(request.ports, signal))
      const lines = yielding(writeSnapshot(snapshot), signal)
      return reply.type(SNAPSHOT_TYPE).send(Readable.from(gather(lines), { objectMode: false }))
    },

    restoreSnapshot: async ({ ports, server, body }) => {
      const bytes: unknown = body
      const given = bytes instanceof Uint8Array ? bytes : new Uint8Array()
      return restoreSnapshot(worlds, ports, given, server.knownPaths.list())
    },
  })
}

/** The order depends only on the content, so worlds with the same content have the same snapshot. */
export async function takeSnapshot(ports: Ports, signal?: AbortSignal): Promise<WritableSnapshot> {
  const records = await readCollections(ports, collectionNames, signal)
  // Response variation is not part of the content of a world.
  records['settings'] = records['settings']!.filter(({ name }) => name !== 'variation')
  const seed = ports.state.recorder?.seed ?? ports.world.seed
  const images = new Set(records['symptomImages']!.map(({ sha256 }) => String(sha256)))
  const blobs = new Map<string, Uint8Array>()
  for await (const name of yielding([...images].sort(), signal)) {
    const bytes = await ports.blobs.get(name)
    if (bytes) blobs.set(name, bytes)
  }
  return {
    schemaVersion: SNAPSHOT_VERSION,
    ...(seed !== undefined && { seed }),
    clock: toClockPlace(ports.clockControl.read()),
    // Faults of the profile are omitted. They are restored together with the profile.
    faults: ports.faults.own(),
    records,
    blobs: encodeImages(blobs),
  }
}

function* encodeImages(blobs: ReadonlyMap<string, Uint8Array>): Generator<readonly [digest: string, image: string]> {
  for (const [digest, { buffer, byteOffset, byteLength }] of blobs) {
    yield [digest, Buffer.from(buffer, byteOffset, byteLength).toString('base64')]
  }
}

/** Validates everything before it changes anything, so that the snapshot is restored completely or not at all. */
export async function restoreSnapshot(
  worlds: Worlds,
  ports: Ports,
  given: Uint8Array,
  known: readonly KnownPath[],
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
          : issueFinding({ code, rule }, target, 'our choice: snapshots'),
      ),
    )
  }
  await worlds.restore(ports.world.name, await toKnownSnapshot(read, known))
}

const PAGE = 2000

/** One transaction, so that the result is consistent. Records are sorted by key. */
export async function readCollections(
  { store }: Pick<Ports, 'store'>,
  names: readonly CollectionName[],
  signal?: AbortSignal,
): Promise<Record<string, StoredRecord[]>> {
  return store.transaction(async (tx) => {
    const all: Record<string, StoredRecord[]> = Object.fromEntries(names.map((name) => [name, []]))
    for await (const { name, offset } of yielding(pagesOf(all, names), signal)) {
      const page: readonly StoredRecord[] = await tx.collection(name).find({ offset, limit: PAGE })
      for (const record of page) all[name]!.push(record)
    }
    return all
  })
}

function* pagesOf(read: Readonly<Record<string, readonly StoredRecord[]>>, names: readonly CollectionName[]) {
  for (const name of names) {
    for (let offset = 0; read[name]!.length === offset; offset += PAGE) yield { name, offset }
  }
}

/** Names operations as in the journal, also in the faults of the profile. Rejects unknown operations. */
async function toKnownSnapshot({ snapshot, targets }: ReadSnapshot, known: readonly KnownPath[]): Promise<Snapshot> {
  const faults: Fault[] = []
  for await (const fault of yielding(snapshot.faults)) faults.push(toKnownFault(fault, targets.get(fault)!, known))
  const settings = recordsOf(snapshot, 'settings')
  const setting = settings.find(({ name }) => name === 'profile')
  const profile = readStoredProfile(setting as { value: string } | undefined)
  if (!setting || !profile?.faults) return { ...snapshot, faults }
  const value = JSON.stringify(toKnownProfile(profile, `${targets.get(setting)}.value`, known))
  const named = settings.map((each) => (each === setting ? { ...setting, value } : each))
  return { ...snapshot, faults, records: { ...snapshot.records, settings: named } }
}
