import { isDeepStrictEqual } from 'node:util'
import type { KnownFixtures, Records, WorldCopy } from '../ports/worlds.ts'
import { yielding } from '../ports/yielding.ts'
import { type CollectionName, collectionNames, collections } from '#contract/records/collections.ts'
import type { CaseChanges, CaseHeader } from '#contract/files/case.ts'
import type { Fault } from '#contract/records/control/fault.ts'
import { type StoredRecord, SNAPSHOT_VERSION } from '#contract/records/snapshot.ts'

export interface Origin {
  copy: WorldCopy
  faults: readonly Fault[]
  now: string
  fixtures: KnownFixtures | undefined
}

export type Written = Pick<CaseHeader, 'start' | 'fixtures' | 'changed' | 'snapshot'>

/** Writes only the differences from the fixtures, unless `isComplete` is set or the fixtures are custom. */
export async function writeOrigin(
  { copy, faults, now, fixtures }: Origin,
  { isComplete, signal }: { isComplete: boolean; signal: AbortSignal },
): Promise<Written> {
  const records: Record<string, readonly StoredRecord[]> = {}
  for (const name of collectionNames) records[name] = await copy.read(name)
  const blobs = await writeImages(copy, records, signal)
  const clock = { frozenAt: now }
  if (isComplete || !fixtures) {
    return { start: now, snapshot: { schemaVersion: SNAPSHOT_VERSION, clock, faults, records, blobs } }
  }
  const at = (await fixtures.findStart(records)) ?? Date.parse(now)
  const start = new Date(at).toISOString()
  const changed: CaseChanges = {
    schemaVersion: SNAPSHOT_VERSION,
    ...(now !== start && { clock }),
    ...(faults.length > 0 && { faults: [...faults] }),
    ...(await findChanges(records, (name) => fixtures.read(name, at), signal)),
    ...(Object.keys(blobs).length > 0 && { blobs }),
  }
  return { start, fixtures: { name: fixtures.name, sha256: await fixtures.sha256() }, changed }
}

async function writeImages(copy: WorldCopy, records: Records, signal: AbortSignal): Promise<Record<string, string>> {
  const digests = new Set(records['symptomImages']?.map(({ sha256 }) => String(sha256)))
  const images: Record<string, string> = {}
  for await (const digest of yielding([...digests].sort(), signal)) {
    const bytes = copy.blobs.get(digest)
    if (bytes) images[digest] = Buffer.from(bytes).toString('base64')
  }
  return images
}

async function findChanges(
  records: Records,
  readFixtures: (name: CollectionName) => Promise<readonly StoredRecord[]>,
  signal: AbortSignal,
): Promise<Pick<CaseChanges, 'records' | 'gone'>> {
  const changed: Record<string, StoredRecord[]> = {}
  const gone: Record<string, string[]> = {}
  for (const name of collectionNames) {
    const { key } = collections[name] as { key: string }
    const fixtures = new Map<unknown, StoredRecord>()
    for await (const record of yielding(await readFixtures(name), signal)) fixtures.set(record[key], record)
    const own: StoredRecord[] = []
    for await (const record of yielding(records[name] ?? [], signal)) {
      if (!isDeepStrictEqual(record, fixtures.get(record[key]))) own.push(record)
      fixtures.delete(record[key])
    }
    if (own.length > 0) changed[name] = own
    if (fixtures.size > 0) gone[name] = [...fixtures.keys()].map(String)
  }
  return {
    ...(Object.keys(changed).length > 0 && { records: changed }),
    ...(Object.keys(gone).length > 0 && { gone }),
  }
}
