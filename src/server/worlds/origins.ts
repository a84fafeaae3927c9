import type { Engine, WorldRecord, WorldStorage } from '../adapters/engine.ts'
import { newSecret } from '../adapters/node/random.ts'
import { readSource, type Stored, type WorldRecords } from '../adapters/record.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Clock } from '../ports/clock.ts'
import { UnusableState, WorldEnded } from '../ports/failures.ts'
import type { Store } from '../ports/store.ts'
import { type CollectionName, collectionNames } from '#contract/records/collections.ts'
import type { InitialState } from './initial-state.ts'

/** Suffix of a reserved world name. The initial state of a fork (its origin) is stored under this name. */
const ORIGIN = '~origin'

/** Maximum time in milliseconds between storing an origin and storing its fork. */
export const MAKING_TIME = 3_600_000

const isOrigin = ({ plan }: WorldRecord) => plan.name.includes(ORIGIN)
const originOf = ({ plan, origin = plan.name + ORIGIN }: WorldRecord) => origin

export async function listWorlds(engine: Engine): Promise<WorldRecord[]> {
  return (await engine.list()).filter((record) => !isOrigin(record))
}

/** Removes each origin that has no fork and was stored before the timestamp `before`. */
export async function sweepOrigins(engine: Engine, before: number): Promise<void> {
  const records = await engine.list()
  const named = new Set(records.filter((each) => !isOrigin(each)).map(originOf))
  const left = records.filter((each) => isOrigin(each) && !named.has(each.plan.name) && each.createdAt < before)
  for (const { plan } of left) await discardRecord(engine, plan.name)
}

export async function discardRecord(engine: Engine, name: string): Promise<void> {
  try {
    if (await findRecord(engine, name)) await (await engine.open(name)).discard()
  } catch (error) {
    // The world may have been deleted by another instance.
    if (!(error instanceof WorldEnded)) throw error
  }
}

export async function findRecord(engine: Engine, name: string): Promise<WorldRecord | undefined> {
  return (await engine.list()).find((record) => record.plan.name === name)
}

/** Stores the initial state of a fork. This happens before the fork is stored, so that every fork has its origin. */
export async function storeOrigin(engine: Engine, record: WorldRecord, state: InitialState): Promise<string> {
  const { plan } = record
  const name = plan.name + ORIGIN + newSecret(6)
  const origin = { ...record, plan: { ...plan, ...state.clock, name } }
  await (await engine.create(origin, state))?.store.close()
  return name
}

export async function readOrigin(engine: Engine, name: string, real: Clock): Promise<InitialState> {
  const fork = await findRecord(engine, name)
  if (!fork) throw new WorldEnded(name)
  const record = await findRecord(engine, originOf(fork))
  if (!record) {
    if (!(await findRecord(engine, name))) throw new WorldEnded(name)
    throw new UnusableState(`the state from which the world ${name} was forked no longer exists`)
  }
  const { now = real.now(), frozen = false } = record.plan
  const storage = await engine.open(record.plan.name, record.id)
  try {
    const content = await copyContent(storage, storage.blobs)
    return { seed: record.seed, clock: { now, frozen }, eventsFrom: real.now(), ...content }
  } finally {
    await storage.store.close()
  }
}

/** Kept if the name still exists: that world was created by a reset and uses the same origin. */
export async function releaseOrigin(engine: Engine, record: WorldRecord): Promise<void> {
  if (!(await findRecord(engine, record.plan.name))) await discardRecord(engine, originOf(record))
}

export async function copyContent(
  { store, share }: Pick<WorldStorage, 'store' | 'share'>,
  blobs: Blobs,
): Promise<Pick<InitialState, 'records' | 'blobs'>> {
  const records = share?.() ?? (await readRecords(store))
  const images = readSource(records.get('symptomImages'))
  const copies = new Map<string, Uint8Array>()
  for (const image of images) {
    const sha256 = String(image['sha256'])
    const bytes = copies.has(sha256) ? undefined : await blobs.get(sha256)
    if (bytes) copies.set(sha256, bytes)
  }
  return { records, blobs: [...copies] }
}

const PAGE = 2000

function readRecords(store: Store): Promise<WorldRecords> {
  return store.transaction(async (tx) => {
    const found = new Map<CollectionName, readonly Stored[]>()
    for (const name of collectionNames) {
      const records: Stored[] = []
      for (let isMore = true; isMore; ) {
        const page: readonly Stored[] = await tx.collection(name).find({ offset: records.length, limit: PAGE })
        records.push(...page)
        isMore = page.length === PAGE
      }
      found.set(name, records)
    }
    return found
  })
}
