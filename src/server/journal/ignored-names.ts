import * as z from 'zod'
import { CUT } from '#contract/cut-body.ts'
import { billingOperations } from '#contract/documents/billing/operations.ts'
import { streamOperations } from '#contract/documents/events/streams.ts'
import { subscriptionOperations } from '#contract/documents/events/subscriptions.ts'
import { supportOperations } from '#contract/documents/support/operations.ts'
import { walletOperations } from '#contract/documents/wallet/availability.ts'
import type { OperationContract } from '#contract/operation.ts'
import type { JournalEntry } from '#contract/records/control/journal.ts'
import { findNearest } from '#contract/records/nearest.ts'
import { metaOf, shapeOf, unwrap } from '../http/input/findings.ts'

type Ignored = NonNullable<JournalEntry['ignored']>
type Contract = Pick<OperationContract, 'headers' | 'query' | 'body'> & { route?: string }

/** `wsdl` is a known parameter, because the billing address in the document contains it. */
const billingQuery = z.object({ wsdl: z.unknown() })

const contracts: Readonly<Record<string, Contract>> = {
  ...supportOperations,
  ...subscriptionOperations,
  ...streamOperations,
  ...walletOperations,
  ...Object.fromEntries(
    Object.entries(billingOperations).map(([name, { input }]) => [name, { query: billingQuery, body: input }]),
  ),
}

const VENDOR_HEADER = /^vendorus-/
const IDENTITY_HEADERS = ['vendorus-profId', 'vendorus-GUID']
/** Limits of the report, because a body may contain thousands of unknown names. */
const MOST = 20
const LONGEST = 100

export function findIgnored({
  operation,
  query,
  status,
  request,
  response,
}: Partial<JournalEntry>): Ignored | undefined {
  const name = String(operation)
  const contract = Object.hasOwn(contracts, name) ? contracts[name] : undefined
  if (!contract || !request) return undefined
  const ignored: Ignored = []
  if (query !== undefined) {
    const known = shapeOf(contract.query)
    const given = new URLSearchParams(query)
    for (const each of new Set(given.keys())) reportUnknown(each, 'query', known, ignored)
    if (status !== 400) ignored.push(...findTolerated(given, known, response?.body).slice(0, MOST))
  }
  const fields = request.fields as Readonly<Record<string, unknown>> | undefined
  seekUnknown(fields ? fields[name] : request.body, contract.body ?? nothing, 'body', ignored)
  const headers = Object.keys(request.headers)
  const identities = Object.hasOwn(supportOperations, name) ? IDENTITY_HEADERS : []
  for (const each of headers) {
    const isKnown = identities.some((known) => known.toLowerCase() === each)
    if (VENDOR_HEADER.test(each) && !isKnown) tell(each, 'header', identities, ignored)
  }
  for (const known of Object.keys(shapeOf(contract.headers))) {
    const near = findNearest(known.toLowerCase(), headers)
    if (near !== undefined && near !== known.toLowerCase()) tell(near, 'header', [known], ignored)
  }
  return ignored.length > 0 ? ignored : undefined
}

/** Returns parameters whose unusable values were tolerated. The response contains the paging that was applied. */
function findTolerated(
  given: URLSearchParams,
  known: Readonly<Record<string, z.ZodType>>,
  body: unknown,
): { name: string }[] {
  const isTolerated = ([name, field]: [string, z.ZodType]) => {
    const values = given.getAll(name).filter(Boolean)
    if (values.length === 0) return false
    const applied = (body as Readonly<Record<string, unknown>> | null | undefined)?.[name]
    if (typeof applied === 'number') return applied !== Number(values[0])
    const isList = unwrap(field) instanceof z.ZodArray
    return metaOf(field).tolerated !== undefined && !field.safeParse(isList ? values : values[0]).success
  }
  return Object.entries(known)
    .filter(isTolerated)
    .map(([name]) => ({ name: `query.${name}` }))
}

const nothing = z.object({})

function seekUnknown(value: unknown, schema: z.ZodType, place: string, ignored: Ignored, parent: object = {}): void {
  const { known } = metaOf(schema)
  if (typeof value === 'string' && known) {
    reportValue(value, place, typeof known === 'function' ? known({ ...parent }) : known, ignored)
  }
  if (typeof value !== 'object' || value === null) return
  const whole = unwrap(schema)
  if (whole instanceof z.ZodArray && Array.isArray(value)) {
    const element = whole.element as z.ZodType
    for (const [i, each] of value.entries()) seekUnknown(each, element, `${place}[${i}]`, ignored)
  }
  if (!(whole instanceof z.ZodObject) || Array.isArray(value)) return
  for (const [name, field] of Object.entries(value)) {
    if (!reportUnknown(name, place, whole.shape, ignored)) {
      seekUnknown(field, whole.shape[name] as z.ZodType, `${place}.${name}`, ignored, value)
    }
  }
}

/** `*` and an empty text match any value. */
function reportValue(value: string, place: string, known: readonly string[], ignored: Ignored): void {
  if (ignored.length >= MOST || ['', '*', ...known].includes(value)) return
  const isStart = (each: string) => value.length > 2 && each.startsWith(value.toUpperCase())
  const near = suggest(value, known) ?? known.find(isStart)
  ignored.push({ name: place, value: value.slice(0, LONGEST), ...(near !== undefined && { near }) })
}

function reportUnknown(
  name: string,
  place: string,
  known: Readonly<Record<string, unknown>>,
  ignored: Ignored,
): boolean {
  if (Object.hasOwn(known, name)) return false
  if (name !== CUT) tell(name, place, Object.keys(known), ignored)
  return true
}

function tell(name: string, place: string, known: readonly string[], ignored: Ignored): void {
  if (ignored.length >= MOST) return
  const near = suggest(name, known)
  ignored.push({
    name: `${place}.${name.slice(0, LONGEST)}`,
    ...(near !== undefined && { near }),
  })
}

/** Names are compared in lower case, because a wrong case is the most common mistake. */
function suggest(name: string, known: readonly string[]): string | undefined {
  const nearest = findNearest(
    name.toLowerCase(),
    known.map((each) => each.toLowerCase()),
  )
  return known.find((each) => each.toLowerCase() === nearest)
}
