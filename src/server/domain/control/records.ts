import type { Ports } from '#server/ports.ts'
import { UniqueViolation } from '#server/ports/failures.ts'
import { type Collection, type CollectionName, collectionNames, collections } from '#contract/records/collections.ts'
import { findIssues, findUnknownFields, writePath } from '#contract/records/issues.ts'
import { sayNearest } from '#contract/records/nearest.ts'
import { PROFILE_STRUCK, readKeptStruck } from '#contract/records/control/fault.ts'
import { readKeptProfile, type VendorProfile } from '#contract/records/control/vendor-profile.ts'
import { soundsSecret } from '#contract/records/secret-names.ts'
import type { Subscription } from '#contract/records/events/subscription.ts'
import { DomainError, type Finding, finding, invalidInput, issueFinding, notFound } from '../errors.ts'
import { toConditions } from './record-filters.ts'

/**
 * These keys are told to nobody, and neither are keys with a credential: a caller may give a token instead of its
 * digest.
 */
const PRIVATE_KEYS: readonly string[] = ['tokenDigest', 'userId']

/** More say nothing new. */
const MOST_UNKNOWN = 20

type Stored = Readonly<Record<string, unknown>>
type Setting = Readonly<{ name: string; value: string }>

export async function listCollections(ports: Ports) {
  const counts = await countRecords(ports)
  const items = collectionNames.map((name) => ({ name, key: collections[name].key, count: counts[name] ?? 0 }))
  return { items, totalCount: items.length }
}

export async function countRecords({ store }: Ports): Promise<Record<string, number>> {
  const counts = await Promise.all(collectionNames.map(async (name) => [name, await store[name].count()] as const))
  return Object.fromEntries(counts)
}

/** Filters name fields of the key and of indexes; several texts mean any of them. */
export async function listRecords(
  { store }: Ports,
  collection: string,
  filters: Readonly<Record<string, string | readonly string[]>>,
  page: { offset: number; limit: number },
) {
  const name = requireCollection(collection)
  const reader = store.collection(name)
  const where = toConditions(name, filters)
  const items: readonly Stored[] = await reader.find({ where, ...page })
  return { items: [...items], totalCount: await reader.count(where) }
}

export async function requireRecord({ store }: Ports, collection: string, key: string): Promise<Stored> {
  const name = requireCollection(collection)
  return (await store[name].get(key)) ?? refuseUnknown(name, key)
}

/** Gives a profile whose faults name operations as the journal does, or refuses it. */
export type NameInProfile = (profile: VendorProfile, target: string) => VendorProfile

/** The collection's schema must accept the record; the key of the path counts. */
export async function putRecord(
  ports: Ports,
  { collection, key }: { collection: string; key: string },
  given: unknown,
  nameInProfile: NameInProfile,
): Promise<Stored> {
  const name = requireCollection(collection)
  const { schema, key: keyField }: Collection = collections[name]
  const record = withoutAbsent(schema, isObject(given) ? { [keyField]: key, ...given } : given)
  const findings = findIssues(schema, record).map((issue) => issueFinding(issue, writePath('body', issue.path)))
  findings.push(...findUnknown(schema, record))
  if (isObject(record) && String(record[keyField]) !== key) {
    findings.push(finding(`body.${keyField}`, 'must be the key in the path', { source: 'our choice: records' }))
  }
  if (findings.length > 0) throw invalidInput(findings)
  const parsed = collections[name].schema.parse(record)
  const checked = name === 'settings' ? toKnownSetting(parsed as Setting, nameInProfile) : parsed
  try {
    await ports.store.transaction(async (tx) => {
      await tx.collection(name).put(checked)
      if (name !== 'subscriptions') return
      tx.emit({ notice: { kind: 'subscription-changed', subscription: checked as Subscription } })
    })
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    throw new DomainError('conflict', `${error.message} by another record`, { source: 'our choice: records' })
  }
  if (name === 'settings') await heedSetting(ports, key, checked as Setting)
  return checked
}

/** Null and empty fields that the schema does not take count as absent, as in other bodies; entries of lists stay. */
function withoutAbsent(schema: Collection['schema'], record: unknown): unknown {
  const missing = findIssues(schema, record).filter(({ code }) => code === 'MissingField')
  if (missing.length === 0) return record
  // The body itself is kept for the journal.
  const kept: unknown = structuredClone(record)
  for (const { path } of missing) {
    const holder = path.slice(0, -1).reduce<unknown>((value, key) => Object(value)[key], kept)
    if (isObject(holder)) delete holder[String(path.at(-1))]
  }
  return kept
}

/** The schema would leave a misspelt field out without a word; every other body of the control API refuses it. */
function findUnknown(schema: Collection['schema'], record: unknown): Finding[] {
  return findUnknownFields(schema, record, MOST_UNKNOWN).map(({ path, rule }) =>
    finding(path ? `body.${path}` : 'body', rule, { source: 'our choice: records' }),
  )
}

function toKnownSetting(setting: Setting, nameInProfile: NameInProfile): Setting {
  if (setting.name !== 'profile') return setting
  return { ...setting, value: JSON.stringify(nameInProfile(readKeptProfile(setting)!, 'body.value')) }
}

/** A profile that is put or deleted as a record bends the world like one that is set by its own operation. */
async function heedSetting(ports: Ports, name: string, setting?: Setting): Promise<void> {
  if (name === 'profile') await ports.setProfile(readKeptProfile(setting))
  if (name === PROFILE_STRUCK) ports.faults.setStruck(readKeptStruck(setting))
}

/** Live streams hear of a deleted subscription or token, as when its own operation ends it. */
export async function deleteRecord(ports: Ports, collection: string, key: string): Promise<void> {
  const name = requireCollection(collection)
  await ports.store.transaction(async (tx) => {
    const existed = await tx[name].delete(key)
    if (!existed) refuseUnknown(name, key)
    if (name === 'subscriptions') tx.emit({ notice: { kind: 'subscription-deleted', subscriptionId: key } })
    if (name === 'accessTokens') tx.emit({ notice: { kind: 'token-ended', tokenDigest: key } })
  })
  if (name === 'settings') await heedSetting(ports, key)
}

function requireCollection(name: string): CollectionName {
  if (Object.hasOwn(collections, name)) return name as CollectionName
  const nearest = sayNearest(name, collectionNames)
  const known = collectionNames.join(', ')
  throw notFound(`there is no collection ${name}${nearest}; there are ${known}`, 'our choice: records')
}

/** A refusal is logged, so it does not repeat a key that may be a token or a seller's secret. */
function refuseUnknown(name: CollectionName, key: string): never {
  const field = collections[name].key
  const told = soundsSecret(field) || PRIVATE_KEYS.includes(field) ? 'of this key' : key.slice(0, 100)
  throw notFound(`${name} has no record ${told}; GET /_control/records/${name} lists them`, 'our choice: records')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
