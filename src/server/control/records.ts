import type * as z from 'zod'
import { recordOperations } from '#contract/control/records.ts'
import { type Collection, type CollectionName, collectionNames, collections } from '#contract/records/collections.ts'
import { PROFILE_HITS, readStoredHits } from '#contract/records/control/fault.ts'
import { toSameCase } from '#contract/records/formats.ts'
import { readStoredProfile } from '#contract/records/control/vendor-profile.ts'
import type { Ticket } from '#contract/records/dealer/ticket.ts'
import type { Subscription } from '#contract/records/events/subscription.ts'
import { findIssues, findUnknownFields, writePath } from '#contract/records/issues.ts'
import { findNearest, suggestNearest } from '#contract/records/nearest.ts'
import { looksSecret } from '#contract/records/secret-names.ts'
import { withStatusAt } from '../domain/appointments/appointments.ts'
import { DomainError, type Finding, finding, invalidInput, issueFinding, notFound } from '../domain/errors.ts'
import { type CheckedRequest, compileInput } from '../http/input/input.ts'
import { readRawBody } from '../http/input/json-body.ts'
import type { Ports } from '../ports.ts'
import { UniqueViolation } from '../ports/failures.ts'
import type { Scalar, View } from '../ports/store.ts'
import type { KnownPath } from '../http/known-paths.ts'
import { toKnownProfile } from './choices.ts'
import { implementControl } from './context.ts'
import { sendPage } from '../http/large-pages.ts'

const { query: paging } = recordOperations.listRecords
const checkPaging = compileInput({ query: paging })
const ours = { source: 'our choice: records' } as const

type Stored = Readonly<Record<string, unknown>>
type Setting = Readonly<{ name: string; value: string }>

export const records = implementControl(recordOperations, {
  listCollections: async ({ ports }) => {
    const counts = await countRecords(ports)
    const items = collectionNames.map((name) => ({ name, key: collections[name].key, count: counts[name] ?? 0 }))
    return { items, totalCount: items.length }
  },

  listRecords: async (request, reply) => {
    const { filters, page } = readQuery(request)
    const name = requireCollection(request.params.collection)
    return sendPage(request, reply, await findRecords(request.ports, name, toConditions(name, filters), page))
  },

  getRecord: async ({ ports, params: { collection, key } }) => {
    const name = requireCollection(collection)
    const record: Stored | undefined = await ports.store[name].get(key)
    return record ? toCurrent(ports, name, record) : refuseUnknown(ports.store, name, key)
  },

  putRecord: async (request) => {
    const { ports, params, server } = request
    return putRecord(ports, params, readRawBody(request), server.knownPaths.list())
  },

  /** Deleting a subscription or token notifies its streams, as the operations of document 2 do. */
  deleteRecord: async ({ ports, params: { collection, key } }) => {
    const name = requireCollection(collection)
    await ports.store.transaction(async (tx) => {
      const existed = await tx[name].delete(key)
      if (!existed) await refuseUnknown(tx, name, key)
      if (name === 'subscriptions') tx.emit({ notice: { kind: 'subscription-deleted', subscriptionId: key } })
      if (name === 'accessTokens') tx.emit({ notice: { kind: 'token-ended', tokenDigest: key } })
    })
    if (name === 'settings') await heedSetting(ports, key)
  },
})

export async function countRecords({ store }: Ports): Promise<Record<string, number>> {
  const counts = await Promise.all(collectionNames.map(async (name) => [name, await store[name].count()] as const))
  return Object.fromEntries(counts)
}

/** An expired request is stored as open. This function sets its current status, as the support API does. */
function toCurrent({ clock }: Ports, name: CollectionName, record: Stored): Stored {
  return name === 'tickets' || name === 'inStoreRequests' ? withStatusAt(record as Ticket, clock.now()) : record
}

type Conditions = Readonly<Record<string, readonly Scalar[]>>

async function findRecords(ports: Ports, name: CollectionName, where: Conditions, page: z.output<typeof paging>) {
  const collection = ports.store.collection(name)
  const { status: wanted } = where
  const isOfRequests = name === 'tickets' || name === 'inStoreRequests'
  if (!isOfRequests || !wanted) {
    const found: readonly Stored[] = await collection.find({ where, ...page })
    return { items: found.map((each) => toCurrent(ports, name, each)), totalCount: await collection.count(where) }
  }
  // The stored status cannot select a page, because expired requests are stored as open.
  const status = wanted.includes('E0003') ? undefined : wanted
  const found: readonly Stored[] = await collection.find({ where: { ...where, status } })
  const items = found
    .map((each) => toCurrent(ports, name, each))
    .filter((each) => wanted.includes(each['status'] as string))
  return { items: items.slice(page.offset, page.offset + page.limit), totalCount: items.length }
}

/** Every parameter except paging is a filter. A repeated parameter matches any of its values. */
function readQuery(request: CheckedRequest) {
  const { limit: _limit, offset: _offset, ...rest } = request.query as Record<string, string | string[]>
  checkPaging(request)
  const sent = Object.entries(rest).filter(([, value]) => value !== '')
  const filters = Object.fromEntries(
    sent.map(([name, value]) => [name, Array.isArray(value) ? value.map(toSameCase) : toSameCase(value)]),
  )
  return { filters, page: request.query as z.output<typeof paging> }
}

const MOST_UNKNOWN = 20

/** Validates the record with the schema of its collection. If the body has no key, the key in the path applies. */
async function putRecord(
  ports: Ports,
  { collection, key }: { collection: string; key: string },
  given: unknown,
  known: readonly KnownPath[],
): Promise<Stored> {
  const name = requireCollection(collection)
  const { schema, key: keyField }: Collection = collections[name]
  const record = withoutAbsent(schema, isObject(given) ? { [keyField]: key, ...given } : given)
  const findings = findIssues(schema, record).map((issue) =>
    issueFinding(issue, writePath('body', issue.path), 'our choice: records'),
  )
  // The schema would silently remove a misspelled field.
  for (const { path, rule } of findUnknownFields(schema, record, MOST_UNKNOWN)) {
    findings.push(finding(path ? `body.${path}` : 'body', rule, ours))
  }
  if (isObject(record) && toSameCase(String(record[keyField])) !== key) {
    findings.push(finding(`body.${keyField}`, 'must be the key in the path', ours))
  }
  if (findings.length > 0) throw invalidInput(findings)
  const parsed = collections[name].schema.parse(record)
  const checked = name === 'settings' ? toKnownSetting(parsed as Setting, known) : parsed
  try {
    await ports.store.transaction(async (tx) => {
      await tx.collection(name).put(checked)
      if (name !== 'subscriptions') return
      tx.emit({ notice: { kind: 'subscription-changed', subscription: checked as Subscription } })
    })
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    throw new DomainError('conflict', `${error.message} by another record`, ours)
  }
  if (name === 'settings') await heedSetting(ports, key, checked as Setting)
  return checked
}

/** Null and empty fields that the schema does not accept count as absent. */
function withoutAbsent(schema: Collection['schema'], record: unknown): unknown {
  const missing = findIssues(schema, record).filter(({ code }) => code === 'MissingField')
  if (missing.length === 0) return record
  // The body is copied, because the journal needs the original.
  const kept: unknown = structuredClone(record)
  for (const { path } of missing) {
    const holder = path.slice(0, -1).reduce<unknown>((value, key) => Object(value)[key], kept)
    if (isObject(holder)) delete holder[String(path.at(-1))]
  }
  return kept
}

function toKnownSetting(setting: Setting, known: readonly KnownPath[]): Setting {
  if (setting.name !== 'profile') return setting
  return { ...setting, value: JSON.stringify(toKnownProfile(readStoredProfile(setting)!, 'body.value', known)) }
}

/** Storing or deleting the profile as a record has the same effect as setting it with its own operation. */
async function heedSetting(ports: Ports, name: string, setting?: Setting): Promise<void> {
  if (name === 'profile') await ports.setProfile(readStoredProfile(setting))
  if (name === PROFILE_HITS) ports.faults.setHits(readStoredHits(setting))
}

function requireCollection(name: string): CollectionName {
  if (Object.hasOwn(collections, name)) return name as CollectionName
  const nearest = suggestNearest(name, collectionNames, `. Known collections: ${collectionNames.join(', ')}`)
  throw notFound(`collection ${name} does not exist${nearest}`, 'our choice: records')
}

/** Not displayed in messages, because a caller may have sent a token where a digest is expected. */
const PRIVATE_KEYS: readonly string[] = ['tokenDigest', 'userId']

/** Maximum number of keys that are compared to find a suggestion. Reading more keys would take too long. */
const MOST_COMPARED = 1000

/** Errors are logged, so the message must not contain a key that may be a token or the secret of a seller. */
async function refuseUnknown(view: View, name: CollectionName, key: string): Promise<never> {
  const field = collections[name].key
  const isPrivate = looksSecret(field) || PRIVATE_KEYS.includes(field)
  const found: readonly Stored[] = isPrivate ? [] : await view.collection(name).find({ limit: MOST_COMPARED })
  const known = found.map((record) => String(record[field]))
  const nearest = suggestNearest(key, known, `; GET /_control/records/${name} lists them`)
  const shown = isPrivate ? 'of this key' : key.slice(0, 100)
  throw notFound(`${name} has no record ${shown}${nearest}`, 'our choice: records')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Rejects a field without an index, because the query would read the entire collection. */
function toConditions(name: CollectionName, filters: Readonly<Record<string, string | readonly string[]>>) {
  const { key, indexes }: Collection = collections[name]
  const allowed = [...new Set([key, ...indexes.flatMap(({ on }) => on)])]
  const findings: Finding[] = []
  const conditions: Record<string, Scalar[]> = {}
  for (const [field, texts] of Object.entries(filters)) {
    if (allowed.includes(field)) conditions[field] = [texts].flat().map((text) => toScalar(name, field, text))
    else {
      const nearest = findNearest(field, [...allowed, 'limit', 'offset'])
      const hint = nearest === undefined ? '' : `; the nearest is ${nearest}`
      findings.push(
        finding(`query.${field}`, `is not a filter of ${name}${hint}. Known filters: ${allowed.join(', ')}`, ours),
      )
    }
  }
  if (findings.length > 0) throw invalidInput(findings)
  return conditions
}

/** Query parameters are strings, so the value is converted to the type that the schema of the field declares. */
function toScalar(name: CollectionName, field: string, text: string): Scalar {
  const shape = collections[name].schema.shape as Readonly<
    Record<string, { safeParse(value: unknown): { success: boolean } }>
  >
  const others = text === 'true' || text === 'false' ? [text === 'true'] : [Number(text)]
  const fitting = [text, ...others].find((value) => shape[field]?.safeParse(value).success)
  return fitting ?? text
}
