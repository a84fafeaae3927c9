import { readParameters } from '../../domain/control/request-match.ts'
import { registrationKeyOf } from '../../domain/events/stream-access.ts'
import { portsWhileHeard } from '../../http/connection/client-left.ts'
import { fillIn, findExampleValues } from '../../http/openapi/example-values.ts'
import type { Ports } from '../../ports.ts'
import { type Coverage, type CoverageMiss, coverageParts } from '../../../contract/records/control/coverage.ts'
import type { JournalEntry } from '../../../contract/records/control/journal.ts'
import { SUBSCRIPTION } from './coverage-examples.ts'
import { type CoverageItem, listItems, nameOf } from './coverage-items.ts'
import { type ControlContext, implementControl } from '../context.ts'
import { coverageOperations } from '../../../contract/control/journal.ts'

export function coverage(context: ControlContext) {
  return implementControl(coverageOperations, {
    getCoverage: async (request) => {
      const { ports } = request
      const { items } = await findKnown(context, ports)
      const { profile } = ports.world
      const met = await readMet(context, ports, portsWhileHeard(request).turns)
      const found = { ...(profile && { profile: profile.profile }), ...toCoverage(items, met) }
      const values = { ...(await findExampleValues(ports)), streamKey: await registrationKeyOf(ports, SUBSCRIPTION) }
      return JSON.parse(fillIn(JSON.stringify(found), values)) as Coverage
    },
  })
}

interface Known {
  items: readonly CoverageItem[]
  names: ReadonlySet<string>
}

/** The items are made when somebody first asks, since few runs ask. */
const known = new WeakMap<ControlContext['vendor'], Promise<Known>>()

function findKnown({ vendor }: ControlContext, { turns }: Pick<Ports, 'turns'>): Promise<Known> {
  const made = known.get(vendor) ?? make()
  known.set(vendor, made)
  return made

  async function make(): Promise<Known> {
    const items = await listItems(vendor, () => turns.give())
    return { items, names: new Set(items.map(({ what }) => what)) }
  }
}

/**
 * Must run before the journal is emptied. Only known items are kept: what clients send beside them would grow without
 * end.
 */
export async function readMet(
  context: ControlContext,
  ports: Ports,
  turns = ports.turns,
): Promise<ReadonlySet<string>> {
  const { journal, streams, coverage: seen } = ports
  const { names } = await findKnown(context, ports)
  const newest = journal.newest()
  if (newest < seen.upTo) seen.upTo = 0
  let first = newest + 1
  for await (const { id, record } of journal.scan({ before: newest + 1, after: seen.upTo, turns })) {
    if (record.waits) first = id
    else for (const what of metBy(record.read(id))) if (names.has(what)) seen.what.add(what)
  }
  // An entry that waits for its reply is read again.
  seen.upTo = first - 1
  for (const ending of streams.endings) seen.what.add(`a stream ended: ${ending}`)
  return seen.what
}

function toCoverage(items: readonly CoverageItem[], met: ReadonlySet<string>): Coverage {
  const parts = coverageParts.map((name) => {
    const own = items.filter(({ part }) => part === name)
    const missing = own.filter(({ what }) => !met.has(what)).map(({ part: _, ...miss }): CoverageMiss => miss)
    const seen = own.filter(({ what }) => met.has(what)).map(({ what }) => what)
    return { name, met: seen.length, total: own.length, seen, missing }
  })
  const total = items.length
  const count = parts.reduce((sum, part) => sum + part.met, 0)
  return { met: count, total, percent: Math.floor((1000 * count) / total) / 10, parts }
}

function* metBy({ operation, status, frame, query, request, response, why }: JournalEntry): Generator<string> {
  if (frame) yield frame.event === 'CONTROL_EVENT' ? `CONTROL_EVENT ${frame.data}` : frame.event
  if (operation === undefined || !request) return
  const name = nameOf(operation)
  yield `${name}: ${status}`
  for (const [parameter, value] of readParameters(query ?? '')) yield* namesOf(`${name}: query.${parameter}`, value)
  for (const [header, value] of Object.entries(request.headers)) {
    yield* namesOf(typeof operation === 'number' ? `header.${header}` : `${name}: header.${header}`, value)
  }
  yield* valuesOf(`${name}: body`, request.body)
  for (const field of Object.keys(Object(request.fields))) yield `${name}: ${field}`
  for (const source of [why?.source, ...(why?.findings ?? []).map((each) => each.source)]) if (source) yield source
  const [, code] = /<errorCode>(-?\d+)</.exec(String(response?.body ?? '')) ?? []
  if (code !== undefined) yield `errorCode ${code}`
}

function* namesOf(path: string, value: unknown): Generator<string> {
  yield path
  yield `${path} = ${value}`
}

function* valuesOf(path: string, value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const each of value) yield* valuesOf(`${path}[]`, each)
  else if (typeof value !== 'object' || value === null) yield* namesOf(path, value)
  else for (const [name, each] of Object.entries(value)) yield* valuesOf(`${path}.${name}`, each)
}
