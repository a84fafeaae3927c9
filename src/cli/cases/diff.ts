import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { isCase, parseCase } from '#contract/files/case.ts'
import { collections } from '#contract/records/collections.ts'
import { recordsOf, type Snapshot, type StoredRecord } from '#contract/records/snapshot.ts'
import { parseSnapshot, readSnapshot } from '#contract/records/snapshot-reading.ts'
import type { WorldDiff } from '#contract/records/control/world-diff.ts'
import { comparedCollections, DiffList } from '#contract/records/world-diff.ts'
import { ControlError } from '#tools/client/errors.ts'
import { toLinePart } from '#tools/client/printable.ts'
import { playPoints, toStepNumber } from '#tools/cases/player/case-points.ts'
import { cut } from '#tools/cases/player/replay-report.ts'
import { defineCommand } from '../command.ts'
import { serverOptions, withWorld } from '../client/client.ts'
import { exitCodes, readText, show, UsageError } from '../input-output.ts'
import { realClock } from '#server/runtime.ts'
import { asUsageError } from './replay.ts'
import { startCaseServer } from './start-case-server.ts'

type Side = { name: string; step: string | undefined } & ({ text: string } | { world: true })

export const diff = defineCommand({
  words: {
    '<A>': 'a world, a recorded world at a step (NAME@STEP), a snapshot, a case, or CASE@STEP',
    '<B>': 'the same kinds',
  },
  options: serverOptions,
  example: 'case diff failing.jsonl@1 failing.jsonl@2',
  async run({ values, words }, output) {
    const [before, after] = [await readSide(words[0]!), await readSide(words[1]!)]
    try {
      const found = await diffSides(before, after, values)
      show(found, values.json, output, describe)
      return found.same ? exitCodes.ok : exitCodes.findings
    } catch (error) {
      // Exit code 1 is reserved for worlds that differ.
      if (!(error instanceof ControlError)) throw error
      const message = error.message.replace(/^(?:--|query\.)?(?:withAt|with-at|at) /, 'the step or timestamp after @ ')
      output.stderr.write(`vendor-cloud: ${toLinePart(message).slice(0, 1000)}\n`)
      return exitCodes.usage
    }
  },
})

type Server = { url?: string | undefined; key?: string | undefined }

async function diffSides(before: Side, after: Side, server: Server): Promise<WorldDiff> {
  if ('world' in before && 'world' in after) {
    const moments = { ...(before.step && { at: before.step }), ...(after.step && { withAt: after.step }) }
    return withWorld({ ...server, world: before.name }, (api) => api.diff(after.name, moments))
  }
  // Two points of one case are taken from the same run, so that they have the same secrets.
  if (isSameCase(before, after)) return diffSnapshots(...(await playCase(before, [before.step, after.step])))
  return diffSnapshots(await readSnapshotOf(before, server), await readSnapshotOf(after, server))
}

function isSameCase(before: Side, after: Side): before is Side & { text: string } {
  return 'text' in before && 'text' in after && before.text === after.text && isCase(before.text)
}

/** A file takes precedence over a world with the same name. `NAME@12` selects step 12 of the file or world. */
async function readSide(given: string): Promise<Side> {
  const [, stem = given, step] = /^(.+)@([^@/]+)$/.exec(given) ?? []
  for (const [name, at] of [
    [given, undefined],
    [stem, step],
  ] as const) {
    if (statSync(name, { throwIfNoEntry: false })?.isFile()) return { name, step: at, text: await readText(name) }
  }
  if (!/^[a-z0-9-]{1,64}$/.test(stem)) throw new UsageError(`${given} is neither a file nor a world name`)
  return { name: stem, step, world: true }
}

async function readSnapshotOf(side: Side, server: Server): Promise<Snapshot> {
  const { name, step } = side
  if ('text' in side && isCase(side.text)) return (await playCase(side, [step]))[0]!
  if ('text' in side && step !== undefined) throw new UsageError(`${name} is not a case and has no steps. Remove @STEP`)
  return parse('text' in side ? side.text : await askSnapshot(name, step, server), name)
}

function askSnapshot(world: string, step: string | undefined, server: Server): Promise<string> {
  return withWorld({ ...server, world }, async (api) => {
    if (step === undefined) return api.snapshot()
    const past = await api.rewind(/^\d+$/.test(step) ? Number(step) : step)
    try {
      return await past.snapshot()
    } finally {
      await past.delete()
    }
  })
}

function playCase(side: Side & { text: string }, steps: readonly (string | undefined)[]) {
  return asUsageError('compared', async () => {
    const file = parseCase(side.text)
    const wanted = steps.map((step) => toStepNumber(file.steps, step))
    const moments = await playPoints(file, wanted, await startCaseServer(file.header))
    const snapshots: Snapshot[] = []
    for (const { snapshot, hide } of moments) {
      const read = await parse(snapshot, side.name)
      snapshots.push({ ...read, records: JSON.parse(hide(JSON.stringify(read.records))) as Snapshot['records'] })
    }
    return snapshots as [Snapshot, Snapshot]
  })
}

async function parse(text: string, name: string): Promise<Snapshot> {
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  const read = await readSnapshot(parseSnapshot(Buffer.from(text)), {
    sha256,
    realNow: realClock.now(),
    knownOnly: true,
  })
  if ('snapshot' in read) return read.snapshot
  const [issue] = read.issues
  throw new UsageError(`${name} is not a snapshot: ${cut(`${issue?.target ?? ''} ${issue?.rule ?? ''}`)}`)
}

function diffSnapshots(before: Snapshot, after: Snapshot): WorldDiff {
  const list = new DiffList()
  for (const name of comparedCollections) {
    const byKey = (snapshot: Snapshot): Map<string, StoredRecord> =>
      new Map(recordsOf(snapshot, name).map((record) => [String(record[collections[name].key]), record]))
    const [old, now] = [byKey(before), byKey(after)]
    for (const [key, record] of old) list.compare(name, key, record, now.get(key))
    for (const [key, record] of now) if (!old.has(key)) list.compare(name, key, undefined, record)
  }
  return list.tell()
}

function describe({ same, added, removed, changed, counts }: WorldDiff): string {
  if (same) return 'No records differ\n'
  const told = [
    ...removed.map(({ collection, key, record }) => [`- ${collection} ${key}  ${JSON.stringify(record)}`]),
    ...added.map(({ collection, key, record }) => [`+ ${collection} ${key}  ${JSON.stringify(record)}`]),
    ...changed.map(({ collection, key, fields }) => [
      `~ ${collection} ${key}`,
      ...fields.map(({ path, before, after }) => `    ${path}: ${toText(before)} → ${toText(after)}`),
    ]),
  ]
  const lines = told.flat().map((line) => `${toLinePart(cut(line))}\n`)
  const left = counts.added + counts.removed + counts.changed - told.length
  const rest = left > 0 ? ` (${left} of them are not shown)` : ''
  return `${lines.join('')}${counts.added} added, ${counts.removed} removed, ${counts.changed} changed${rest}\n`
}

const toText = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))
