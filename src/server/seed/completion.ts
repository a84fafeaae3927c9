import { toSearchFields } from '../domain/dealer/customers.ts'
import { warrantyEndDate } from '../domain/dealer/warranty.ts'
import { openProgress } from '../domain/progress.ts'
import type { Digests } from '../ports/chance.ts'
import type { ZipCodes } from '../ports/zip-codes.ts'
import { type CollectionName, collections, type RecordOf } from '#contract/records/collections.ts'
import type { Fixture } from './fixtures.ts'

interface Known {
  records: ReadonlyMap<CollectionName, readonly Fixture[]>
  zipCodes: ZipCodes
  digests: Pick<Digests, 'sha256'>
}

const completions: { readonly [N in CollectionName]?: (record: Partial<RecordOf<N>>, known: Known) => Fixture } = {
  customers: ({ firstName, lastName, zipCode, createdAt }, { zipCodes }) => ({
    ...(isText(firstName) && isText(lastName) && isText(zipCode) && toSearchFields({ firstName, lastName, zipCode })),
    ...placeOf(zipCodes, zipCode),
    country: 'US',
    updatedAt: createdAt,
  }),

  registeredProducts({ bpNo, modelCode, purchaseDate, registeredAt }, known) {
    const model = find(known, 'productModels', modelCode)
    return {
      companyId: find(known, 'customers', bpNo)?.companyId,
      subType: model?.subType,
      category: model?.category,
      warrantyEndDate: model && endOfWarranty(purchaseDate ?? registeredAt, model.warrantyMonths),
    }
  },

  tickets({ bpNo, ascCode, serviceType, createdAt }, known) {
    const record = find(known, 'customers', bpNo)
    const { firstNameKey: _, lastNameKey: __, zip5: ___, ...customer } = record ?? {}
    return {
      ...(isText(createdAt) && openProgress(createdAt, 'CREATED', serviceType)),
      companyId: record?.companyId,
      customer: record && customer,
      phoneNumber: record?.phoneNumber,
      ascName: find(known, 'serviceCenters', ascCode)?.ascName,
      previousAppointments: [],
      images: [],
      updatedAt: createdAt,
    }
  },

  stores({ zipCode, ascCode }, known) {
    return { ...siteOf(known.zipCodes, zipCode), ascType: find(known, 'serviceCenters', ascCode)?.ascType }
  },

  serviceCenters: ({ zipCode }, { zipCodes }) => siteOf(zipCodes, zipCode),

  purchases: ({ purchaseID }) => ({ orderSeed: purchaseID }),
}

/** Adds derived fields. If an access token is in clear text, it is replaced by its digest. */
export function completeFixture(name: CollectionName, record: Fixture, known: Known): Fixture {
  if (name === 'accessTokens' && isText(record['token'])) {
    const { token, ...rest } = record
    return { tokenDigest: known.digests.sha256(token as string), ...rest }
  }
  const complete = completions[name] as ((record: Fixture, known: Known) => Fixture) | undefined
  const derived = Object.entries(complete?.(record, known) ?? {}).filter(([, value]) => value !== undefined)
  return derived.length === 0 ? record : { ...Object.fromEntries(derived), ...record }
}

function find<N extends CollectionName>({ records }: Known, name: N, key: unknown): Partial<RecordOf<N>> | undefined {
  if (key === undefined) return undefined
  return records.get(name)?.find((record) => record[collections[name].key] === key) as Partial<RecordOf<N>> | undefined
}

function placeOf(zipCodes: ZipCodes, zipCode: unknown): Fixture {
  const { city, state } = (isText(zipCode) && zipCodes.find(zipCode.slice(0, 5))) || {}
  return { city, state }
}

function siteOf(zipCodes: ZipCodes, zipCode: unknown): Fixture {
  const { lat, lng, timeZone } = (isText(zipCode) && zipCodes.find(zipCode)) || {}
  return { ...placeOf(zipCodes, zipCode), lat, lng, timeZone }
}

/** Calculates the end of a warranty. The date may be absolute, or relative as in fixtures, for example `date -P40D`. */
function endOfWarranty(from: unknown, months = 0): string | undefined {
  if (!isText(from)) return undefined
  if (/^(date )?[+-]P/.test(from)) return `${from.startsWith('date ') ? from : `date ${from}`} +P${months}M`
  return /^\d{4}-\d\d-\d\d/.test(from) ? warrantyEndDate(from.slice(0, 10), months) : undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
