import { worldOperations } from '#contract/control/worlds.ts'
import { type CollectionName, collections } from '#contract/records/collections.ts'
import { toVariation } from '#contract/records/control/variation.ts'
import { DEFAULT_WORLD, type HistoryPoint, type WorldSummary } from '#contract/records/control/world.ts'
import type { WorldDiff } from '#contract/records/control/world-diff.ts'
import { comparedCollections, DiffList } from '#contract/records/world-diff.ts'
import { suggestNearest } from '#contract/records/nearest.ts'
import type { StoredRecord } from '#contract/records/snapshot.ts'
import { DomainError, notFound } from '../domain/errors.ts'
import { toHex } from '../domain/ids.ts'
import { signalWhileHeard } from '../http/connection/client-left.ts'
import type { Ports } from '../ports.ts'
import type { WorldDescription, WorldPast, WorldPlan, Worlds } from '../ports/worlds.ts'
import { yielding } from '../ports/yielding.ts'
import type { StoredRecordings } from '../recording/recording.ts'
import { toKnownProfile } from './choices.ts'
import { type ControlContext, implementControl } from './context.ts'
import { readCollections } from './snapshots.ts'

const MAX_WORLDS = 10_000
const ours = { source: 'our choice: world-names' } as const

export function worldRoutes({ worlds, jobs }: ControlContext, recordings: StoredRecordings) {
  const lookUp = async (name: string) => (await worlds.look(name)) ?? refuseUnknown(worlds, name)
  const readPast = async (name: string, at: HistoryPoint, target: string) =>
    recordings.readPast(await lookUp(name), { at, target })
  const requireWorld = (name: string) => worlds.describe(name) ?? refuseUnknown(worlds, name)

  return implementControl(worldOperations, {
    createWorld: async ({ ports, body, server }) => {
      if (worlds.size >= MAX_WORLDS) {
        const hint = 'DELETE /_control/worlds/{name} deletes one'
        throw new DomainError('limit-exceeded', `a server can have at most ${MAX_WORLDS} worlds`, { ...ours, hint })
      }
      const { at, ...draft } = body ?? {}
      const past = at === undefined ? undefined : await readPast(draft.from!, at, 'body.at')
      // By default, the name is generated. After a reset, a world with a seed generates the same names again.
      const name = draft.name ?? (await randomName(ports, worlds))
      const plan: WorldPlan = {
        ...draft,
        ...(past && { at: past.step }),
        name,
        now: draft.now === undefined ? undefined : Date.parse(draft.now),
        profile: draft.profile && toKnownProfile(draft.profile, 'body.profile', server.knownPaths.list()),
        variation: draft.variation && toVariation(draft.variation, { ...draft, name }),
      }
      if (plan.from !== undefined) await lookUp(plan.from)
      const made = name === DEFAULT_WORLD ? undefined : await worlds.create(plan, past)
      if (!made) throw new DomainError('conflict', `world ${name} already exists; choose another name`, ours)
      const found = worlds.describe(name)
      if (found) return toSummary(found)
      throw new DomainError('conflict', `world ${name} was deleted while it was being created`, ours)
    },

    listWorlds: async () => {
      const items = worlds.list().map(toSummary)
      return { items, totalCount: items.length }
    },
    getWorld: async ({ params: { name } }) => toSummary(requireWorld(name)),

    diffWorlds: async (request, reply) => {
      const { params, query } = request
      const signal = signalWhileHeard(request, reply)
      const read = async (name: string, at: HistoryPoint | undefined, target: string) =>
        at === undefined ? readNow(await lookUp(name), signal) : readAsItWas(await readPast(name, at, target), signal)
      return jobs.run(async () => {
        const before = await read(params.name, query.at, 'query.at')
        const after = await read(query.with, query.withAt, 'query.withAt')
        return diffRecords(before, after, signal)
      })
    },

    deleteWorld: async ({ params: { name } }) => {
      if (name === DEFAULT_WORLD) {
        const message = 'the default world cannot be deleted. POST /_control/reset resets it'
        throw new DomainError('conflict', message, ours)
      }
      requireWorld(name)
      await worlds.delete(name)
    },
  })
}

async function randomName({ random }: Ports, worlds: Worlds): Promise<string> {
  for (;;) {
    const name = `w-${toHex(await random.bytes('world', 8))}`
    if (!(await worlds.look(name))) return name
  }
}

function refuseUnknown(worlds: Worlds, name: string): never {
  const names = worlds.list().map((each) => each.name)
  throw notFound(`world ${name} does not exist${suggestNearest(name, names)}`, 'our choice: world-names')
}

function toSummary({ name, from, at, seed, profile, createdAt, expiresIn }: WorldDescription): WorldSummary {
  return {
    name,
    createdAt: new Date(createdAt).toISOString(),
    ...(from !== undefined && { from }),
    ...(at !== undefined && { at }),
    ...(seed !== undefined && { seed }),
    ...(profile !== undefined && { profile }),
    ...(expiresIn !== undefined && { expiresAt: new Date(createdAt + expiresIn * 1000).toISOString() }),
  }
}

type ByKey = Map<string, StoredRecord>
/** Reads one collection at a time, because the records of two large worlds would not fit into memory together. */
type ReadCollection = (name: CollectionName) => Promise<ByKey>

function readNow(ports: Ports, signal: AbortSignal): ReadCollection {
  return async (name) => byKey(name, (await readCollections(ports, [name], signal))[name]!, signal)
}

function readAsItWas({ copy, changes }: WorldPast, signal: AbortSignal): ReadCollection {
  return async (name) => {
    const found = await byKey(name, await copy.read(name), signal)
    for (const [key, record] of changes.get(name) ?? []) {
      if (record) found.set(key, record)
      else found.delete(key)
    }
    return found
  }
}

async function byKey(name: CollectionName, records: readonly StoredRecord[], signal: AbortSignal): Promise<ByKey> {
  const { key } = collections[name]
  const found: ByKey = new Map()
  for await (const record of yielding(records, signal)) found.set(String(record[key]), record)
  return found
}

async function diffRecords(before: ReadCollection, after: ReadCollection, signal: AbortSignal): Promise<WorldDiff> {
  const list = new DiffList()
  for (const name of comparedCollections) {
    const [old, now] = [await before(name), await after(name)]
    for await (const [key, record] of yielding(old, signal)) {
      list.compare(name, key, record, now.get(key))
    }
    for await (const [key, record] of yielding(now, signal)) {
      if (!old.has(key)) list.compare(name, key, undefined, record)
    }
  }
  return list.tell()
}
