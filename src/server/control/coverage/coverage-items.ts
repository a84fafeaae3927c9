import type { z } from 'zod'
import { metaOf, shapeOf } from '../../http/input/findings.ts'
import { apis } from '../../http/openapi/apis.ts'
import type { RouteDescription } from '../../http/openapi/operation.ts'
import { type Json, toSchema } from '../../http/openapi/schemas.ts'
import { isVendorTraffic } from '../../../contract/control/vendor-traffic.ts'
import { findExample, writeRequest } from '../../../contract/example.ts'
import { subscriptionOperations } from '../../../contract/documents/events/subscriptions.ts'
import { billingOperations } from '../../../contract/documents/billing/operations.ts'
import { scopeOf } from '../../../contract/documents/support/operations.ts'
import type { CoverageMiss, CoveragePart } from '../../../contract/records/control/coverage.ts'
import { resources } from '../../../contract/records/resources.ts'
import type { VendorInterfaces } from '../context.ts'
import {
  type CallDraft,
  change,
  type ExampleChange,
  endingExamples,
  eventExamples,
  faultFor,
  openedSubscription,
  SUBSCRIPTION,
} from './coverage-examples.ts'
import { ruleExamples, statusExamples } from './refusal-examples.ts'
import { type SoapExample, soapCalls, soapCodes } from './soap-examples.ts'

export interface CoverageItem extends CoverageMiss {
  part: CoveragePart
}

type Draft = (operation: number | string, change?: ExampleChange) => Omit<CoverageMiss, 'what'>

/** Our choice answers these operations otherwise than the document declares. */
const answersNo204: ReadonlySet<unknown> = new Set([31, 35])

/** Each item carries a request that meets it. */
export async function listItems(
  { routes, soap }: VendorInterfaces,
  giveWay: () => Promise<void> | undefined,
): Promise<CoverageItem[]> {
  const items = new Map<string, CoverageItem>()
  const add = (part: CoveragePart, what: string, how: Omit<CoverageMiss, 'what'>) => {
    if (!items.has(what)) items.set(what, { part, what, ...how })
  }
  const drafts = new Map<number | string, CallDraft>()
  const draft: Draft = (operation, changed = {}) => {
    const call = drafts.get(operation)!
    const { before, needs } = { ...call, ...changed }
    return {
      ...(before && { before }),
      example: writeRequest(call.route, change(call, changed)),
      ...(needs !== undefined && { needs }),
    }
  }
  const asSoap = ({ operation, inputs, before }: SoapExample) =>
    draft(operation, { body: soap.writeCall(operation, inputs), ...(before && { before }) })

  for (const route of routes) {
    const { operation } = route.config
    if (operation === undefined || route.method === 'HEAD' || !isVendorTraffic(route.url)) continue
    if (drafts.has(operation)) continue
    await giveWay()
    drafts.set(operation, toDraft(route))
    const name = nameOf(operation)
    for (const status of Object.keys(route.config.describe!().response).map(Number)) {
      if (status === 204 && answersNo204.has(operation)) continue
      add('statuses', `${name}: ${status}`, draft(operation, toStatus(route, status)))
    }
    addParameters(route, (what, changed) => add('parameters', `${name}: ${what}`, draft(operation, changed)))
    for (const query of requiredOf(route)) {
      add('rules', `document 1, ${name}`, draft(operation, { query: { [query]: undefined } }))
    }
  }
  for (const value of ['vendor.com', 'splus', 'voyager']) {
    add('parameters', `header.request-source = ${value}`, draft(30, { headers: { 'request-source': value } }))
  }
  for (const header of Object.keys(apis.support.headers.shape)) {
    const headers = { [header]: 'web-alice', 'request-source': 'splus' }
    add('parameters', `header.${header.toLowerCase()}`, draft(30, { headers }))
  }
  for (const each of soapCalls) {
    const { operation } = each
    drafts.set(operation, { route: `POST ${soap.path}`, headers: { 'content-type': 'text/xml; charset=utf-8' } })
    add('statuses', `${operation}: 200`, asSoap(each))
    add('statuses', `${operation}: 500`, asSoap({ operation, inputs: {} }))
    for (const input of Object.keys(billingOperations[operation].input.shape)) {
      add('parameters', `${operation}: ${input}`, asSoap(each))
    }
  }
  for (const [code, each] of Object.entries(soapCodes)) add('soapCodes', `errorCode ${code}`, asSoap(each))
  for (const [source, each] of Object.entries(ruleExamples)) {
    add('rules', source, 'inputs' in each ? asSoap(each) : draft(each.operation, each))
  }
  for (const [what, how] of Object.entries(eventExamples)) add('events', what, how)
  for (const [what, how] of Object.entries(endingExamples)) add('endings', `a stream ended: ${what}`, how)
  return [...items.values()]
}

export function nameOf(operation: number | string): string {
  return typeof operation === 'number' ? `operation ${operation}` : operation
}

/** An operation on a subscription needs one that exists. */
function toDraft({ method, url, config }: RouteDescription): CallDraft {
  const described = config.describe!()
  const isSubscription = url.includes(':subscriptionId')
  const { body, ...parts } = findExample(isSubscription ? subscriptionOperations.createSubscription : described) ?? {}
  const { needs } = described.example ?? {}
  return {
    ...parts,
    route: `${method} ${url}`,
    query: { ...requiredSamples(described.query), ...parts.query },
    headers: { ...requiredSamples(described.headers), ...parts.headers },
    ...(described.body && body !== undefined && { body }),
    ...(isSubscription
      ? { params: { subscriptionId: SUBSCRIPTION }, before: openedSubscription.slice(0, 1) }
      : needs !== undefined && { needs }),
  }
}

function requiredSamples(schema: z.ZodType | undefined): Record<string, string> {
  const required = Object.entries(shapeOf(schema)).filter(([, field]) => !field.safeParse(undefined).success)
  return Object.fromEntries(
    required.map(([name, field]) => [name, String(metaOf(field)['example'] ?? sampleOf(toSchema(field, {})))]),
  )
}

/** An input brings about a status where one can; else a fault does. */
function toStatus({ url, config, method }: RouteDescription, status: number): ExampleChange {
  const scope = scopeOf(config.operation)
  const isSupport = scope !== undefined
  const described = config.describe!()
  if (config.operation === 'stream' && status === 204) {
    return { before: [...openedSubscription, openedSubscription[1]!], headers: { 'last-event-id': '1-0' } }
  }
  if (status === 204 && isSupport) {
    const unknown = { srid: '9999999999' }
    return url.includes(':srid') ? { params: unknown } : { query: unknown }
  }
  if (status < 300) return {}
  const known = described.refused?.[status] ?? statusExamples[`${nameOf(config.operation!)}: ${status}`]
  if (known) return known
  if (isSupport && status === 400) return { headers: { 'request-source': undefined } }
  if (isSupport && status === 401 && scope !== 'anonymous') return { headers: { 'vendorus-profId': 'x'.repeat(513) } }
  if (status === 403 && scope === 'dealers') return { headers: { 'vendorus-profId': 'web-alice' } }
  if (!isSupport && status === 401) return { headers: { authorization: undefined } }
  if (!isSupport && status === 400 && method === 'POST') return { body: '{}' }
  return { before: [faultFor(config.operation!, { status })] }
}

/** Only document 1's table says which parameters are required. */
function requiredOf({ config }: RouteDescription): string[] {
  if (typeof config.operation !== 'number') return []
  return Object.entries(shapeOf(config.describe!().query)).flatMap(([name, field]) =>
    field.safeParse(undefined).success || metaOf(field)['requiredBy'] !== undefined ? [] : [name],
  )
}

function addParameters({ config }: RouteDescription, add: (what: string, change: ExampleChange) => void): void {
  const described = config.describe!()
  const { body, consumes } = described
  const components: Json = {}
  for (const part of ['query', 'headers'] as const) {
    for (const [name, field] of Object.entries(shapeOf(described[part]))) {
      const path = part === 'headers' ? `header.${name.toLowerCase()}` : `query.${name}`
      for (const { values, sample } of leavesOf(toSchema(field, components), components, path)) {
        add(path, { [part]: { [name]: metaOf(field)['example'] ?? sample } })
        for (const value of values) add(`${path} = ${value}`, { [part]: { [name]: value } })
      }
    }
  }
  if (!body || consumes) return
  for (const { path, values, sample } of leavesOf(toSchema(body, components), components, 'body')) {
    const steps = path.split(/\.|(?=\[\])/).slice(1)
    add(path, { place: { steps, value: sample } })
    for (const value of values) add(`${path} = ${value}`, { place: { steps, value } })
  }
}

interface Leaf {
  path: string
  values: unknown[]
  sample: unknown
}

function leavesOf(schema: Json, components: Json, path: string): Leaf[] {
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const name = reference.slice('#/components/schemas/'.length)
    // Fields that only metadata names are not yet among them.
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
  return [{ path, values, sample: sampleOf(schema) }]
}

function sampleOf(schema: Json): unknown {
  const [example] = (schema['examples'] as unknown[] | undefined) ?? (schema['enum'] as unknown[] | undefined) ?? []
  const given = example ?? schema['const'] ?? schema['default']
  if (given !== undefined) return given
  if (schema['type'] === 'integer' || schema['type'] === 'number') return schema['minimum'] ?? 1
  if (schema['type'] === 'boolean') return true
  return schema['format'] === 'date' ? '2030-01-31' : 'text'
}
