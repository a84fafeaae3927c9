import { coverageOperations, type Coverage, coverageParts, type CoveragePart } from '#contract/control/journal.ts'
import { isVendorTraffic } from '#contract/control/vendor-traffic.ts'
import { billingOperations } from '#contract/documents/billing/operations.ts'
import type { JournalEntry } from '#contract/records/control/journal.ts'
import type { StreamEnding } from '#contract/records/events/stream.ts'
import { resources } from '#contract/records/resources.ts'
import { choices } from '#contract/rules.ts'
import { signalWhileHeard } from '../http/connection/client-left.ts'
import { metaOf, shapeOf } from '../http/input/findings.ts'
import { apis } from '../http/openapi/apis.ts'
import type { RouteDescription } from '../http/openapi/operation.ts'
import { type Json, toSchema } from '../http/openapi/schemas.ts'
import type { Ports } from '../ports.ts'
import { yielding } from '../ports/yielding.ts'
import { implementControl } from './context.ts'

type Items = ReadonlyMap<string, CoveragePart>

export interface CoverageReader {
  list(): Items
  /** Must be called before the journal is cleared. Stores only known items, so the set stays bounded. */
  readCovered(ports: Ports, signal?: AbortSignal): Promise<ReadonlySet<string>>
}

export function createCoverageReader(routes: readonly RouteDescription[]): CoverageReader {
  let items: Items | undefined
  const list: CoverageReader['list'] = () => (items ??= new Map(listItems(routes)))
  return {
    list,
    async readCovered(ports, signal) {
      const { journal, streams, state } = ports
      const seen = state.coverage
      const known = list()
      const newest = journal.newest()
      if (newest < seen.upTo) seen.upTo = 0
      let first = newest + 1
      const scan = journal.scan({ before: newest + 1, after: seen.upTo })
      for await (const { id, record } of yielding(scan, signal)) {
        if (record.waits) first = id
        else for (const what of coveredBy(record.read(id))) if (known.has(what)) seen.what.add(what)
      }
      // The next read starts again at the first entry that has no response yet.
      seen.upTo = first - 1
      for (const ending of streams.endings) seen.what.add(toEnding(ending))
      return seen.what
    },
  }
}

export function coverage(reader: CoverageReader) {
  return implementControl(coverageOperations, {
    getCoverage: async (request, reply) => {
      const { ports } = request
      const { profile } = ports.world
      const items = reader.list()
      const met = await reader.readCovered(ports, signalWhileHeard(request, reply))
      return { ...(profile && { profile: profile.profile }), ...toCoverage(items, met) }
    },
  })
}

function toCoverage(items: Items, met: ReadonlySet<string>): Coverage {
  const parts = coverageParts.map((name) => {
    const own = [...items].filter(([, part]) => part === name).map(([what]) => what)
    const seen = own.filter((what) => met.has(what))
    return { name, covered: seen.length, total: own.length, seen, missing: own.filter((what) => !met.has(what)) }
  })
  const total = items.size
  const count = parts.reduce((sum, part) => sum + part.covered, 0)
  return { covered: count, total, percent: Math.floor((1000 * count) / total) / 10, parts }
}

/** Operations that never return the 204 that the document declares (our choice). */
const answersNo204: ReadonlySet<unknown> = new Set([31, 35])

function* listItems(routes: readonly RouteDescription[]): Generator<[what: string, part: CoveragePart]> {
  for (const route of routes) {
    const { operation } = route.config
    if (operation === undefined || !isVendorTraffic(route.url)) continue
    const name = nameOf(operation)
    for (const status of Object.keys(route.config.describe!().response)) {
      if (status !== '204' || !answersNo204.has(operation)) yield [`${name}: ${status}`, 'statuses']
    }
    for (const what of listParameters(route)) yield [`${name}: ${what}`, 'parameters']
    if (requiresQuery(route)) yield [`document 1, ${name}`, 'rules']
  }
  for (const value of ['vendor.com', 'splus', 'voyager']) yield [`header.request-source = ${value}`, 'parameters']
  for (const name of Object.keys(apis.support.headers.shape)) yield [`header.${name.toLowerCase()}`, 'parameters']
  for (const [operation, { input }] of Object.entries(billingOperations)) {
    for (const status of [200, 500]) yield [`${operation}: ${status}`, 'statuses']
    for (const name of Object.keys(input.shape)) yield [`${operation}: ${name}`, 'parameters']
  }
  for (const code of [10, 15, 300, 301, -1]) yield [`errorCode ${code}`, 'soapCodes']
  for (const rule of documentRules) yield [rule, 'rules']
  for (const { id, schema } of choices) if (schema && !rejectsNothing.has(id)) yield [`our choice: ${id}`, 'rules']
  for (const event of events) yield [event, 'events']
  for (const ending of endings) yield [toEnding(ending), 'endings']
}

const events = [
  'DEVICE_EVENT',
  'DEVICE_LIFECYCLE_EVENT',
  'DEVICE_HEALTH_EVENT',
  'CONTROL_EVENT welcome',
  'CONTROL_EVENT gap',
  'CONTROL_EVENT goodbye',
]
const endings: readonly StreamEnding[] = ['left', 'ended', 'goodbye', 'reset', 'truncated']
const toEnding = (ending: StreamEnding) => `a stream ended: ${ending}`

/** Choices that a profile can set but that never cause an error. */
const rejectsNothing: ReadonlySet<string> = new Set([
  'created-status',
  'error-shape',
  'page-size',
  'stream-lifetime',
  'ticket-progress',
  'unusable-values',
])

const documentRules = [
  'document 1, operation 24',
  'document 1, operation 30',
  'document 1, operations 16 and 25',
  'document 1, section 2',
  'document 1, section 4, common request headers',
  'document 1, section 4, rule 2',
  'document 1, section 4, schedule query',
  'document 1, section 4, store list',
  'document 1, section 4, symptom tree, rule 1',
  'document 1, section 4, ticket list',
  'document 1, section 7',
  'document 1, section 8',
  'document 2, section 2',
  'document 2, section 5, rule 1',
  'document 2, section 5, rule 2',
  'document 2, section 7',
  'document 2, section 8',
  'document 3, section 5, rule 3',
  'document 3, section 7',
]

function nameOf(operation: number | string): string {
  return typeof operation === 'number' ? `operation ${operation}` : operation
}

/** Considers only what the table of document 1 declares. */
function requiresQuery({ config }: RouteDescription): boolean {
  const fields = Object.values(shapeOf(config.describe!().query))
  const isRequired = fields.some(
    (field) => !field.safeParse(undefined).success && metaOf(field)['requiredBy'] === undefined,
  )
  return typeof config.operation === 'number' && isRequired
}

function listParameters({ config }: RouteDescription): string[] {
  const { query, headers, body, consumes } = config.describe!()
  const components: Json = {}
  return [
    ...Object.entries(shapeOf(query)).flatMap(([name, field]) =>
      leavesOf(toSchema(field, components), components, `query.${name}`),
    ),
    ...Object.entries(shapeOf(headers)).flatMap(([name, field]) =>
      leavesOf(toSchema(field, components), components, `header.${name.toLowerCase()}`),
    ),
    ...(body && !consumes ? leavesOf(toSchema(body, components), components, 'body') : []),
  ]
}

/** Returns the path of each field that contains a value, and each value of an enumeration. */
function leavesOf(schema: Json, components: Json, path: string): string[] {
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const name = reference.slice('#/components/schemas/'.length)
    // A resource that is mentioned only in metadata is not in `components` yet.
    if (!(name in components)) toSchema(resources[name]!, components)
    return leavesOf(components[name] as Json, components, path)
  }
  const variants = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined
  if (variants) return variants.flatMap((each) => leavesOf(each, components, path))
  if (schema['properties']) {
    return Object.entries(schema['properties'] as Record<string, Json>).flatMap(([name, each]) =>
      leavesOf(each, components, `${path}.${name}`),
    )
  }
  if (schema['items']) return leavesOf(schema['items'] as Json, components, `${path}[]`)
  if (schema['type'] === 'null') return []
  const enumerated = (schema['enum'] as unknown[] | undefined) ?? ('const' in schema ? [schema['const']] : [])
  const values = schema['type'] === 'boolean' ? [true, false] : enumerated
  return [path, ...values.map((value) => `${path} = ${value}`)]
}

function* coveredBy({ operation, status, frame, query, request, response, why }: JournalEntry): Generator<string> {
  if (frame) yield frame.event === 'CONTROL_EVENT' ? `CONTROL_EVENT ${frame.data}` : frame.event
  for (const source of [why?.source, ...(why?.findings ?? []).map((each) => each.source)]) if (source) yield source
  if (operation === undefined || !request) return
  const name = nameOf(operation)
  yield `${name}: ${status}`
  for (const [parameter, value] of new URLSearchParams(query)) yield* namesOf(`${name}: query.${parameter}`, value)
  for (const [header, value] of Object.entries(request.headers)) {
    yield* namesOf(typeof operation === 'number' ? `header.${header}` : `${name}: header.${header}`, value)
  }
  yield* valuesOf(`${name}: body`, request.body)
  for (const field of Object.keys(Object(request.fields))) yield `${name}: ${field}`
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
