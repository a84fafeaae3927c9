import type { CollectionName, FieldOf, RecordOf } from '#contract/records/collections.ts'

/** The collections to which a key may refer. An absent or null field does not refer to anything. */
type References = {
  readonly [N in CollectionName]?: {
    readonly [F in (keyof RecordOf<N> & string) | FieldOf<N>]?: readonly CollectionName[]
  }
}

export const references: References = {
  profiles: { companyId: ['companies'] },
  customers: { companyId: ['companies'] },
  stores: { companyId: ['companies'], ascCode: ['serviceCenters'] },
  receiptFiles: { companyId: ['companies'] },
  registeredProducts: {
    companyId: ['companies'],
    bpNo: ['customers'],
    userId: ['profiles'],
    modelCode: ['productModels'],
    category: ['productCategories'],
  },
  tickets: {
    companyId: ['companies'],
    bpNo: ['customers'],
    modelCode: ['productModels'],
    ascCode: ['serviceCenters'],
    receiptFileKey: ['receiptFiles', 'symptomImages'],
  },
  inStoreRequests: {
    userId: ['profiles'],
    ascCode: ['serviceCenters'],
    modelCode: ['productModels'],
    taxonomyCode: ['taxonomies'],
    symptoms: ['inStoreSymptoms'],
  },
  bookings: { srid: ['tickets', 'inStoreRequests'], ascCode: ['serviceCenters'] },
  symptomImages: { srid: ['tickets', 'inStoreRequests'] },
  articleTrackings: { srid: ['tickets', 'inStoreRequests'] },
  inStoreArticles: { symptomId: ['inStoreSymptoms'] },
  taxonomies: { upperTaxonomyCode: ['taxonomies'], dummyModelCode: ['productModels'], modelCodes: ['productModels'] },
  productModels: { category: ['productCategories'] },
  productCategories: { parentId: ['productCategories'] },
  productUnits: { modelCode: ['productModels'] },
  symptoms: { parentCode: ['symptoms'] },
  troubleshootingGuides: { symCode: ['symptoms'] },
  devices: { locationId: ['locations'] },
  installedApps: { appId: ['smartApps'], locationId: ['locations'], deviceIds: ['devices'] },
  accessTokens: { locations: ['locations'] },
  serviceTokens: { sellerSecret: ['sellers'] },
  purchases: { sellerSecret: ['sellers'], continues: ['purchases'] },
}

/** The value of `parentId` in categories on the first level of the tree. */
const NOBODY = 'ROOT'

/** Returns each field that contains a missing key, and the collections that should contain the key. */
export function findDangling(
  name: CollectionName,
  record: Readonly<Record<string, unknown>>,
  keysOf: (name: CollectionName) => ReadonlySet<unknown>,
): { field: string; key: string; targets: readonly CollectionName[] }[] {
  const fields = Object.entries(references[name] ?? {}) as [string, readonly CollectionName[]][]
  return fields.flatMap(([field, targets]) =>
    [record[field]]
      .flat()
      .filter((key) => key !== undefined && key !== null && key !== NOBODY)
      .filter((key) => !targets.some((target) => keysOf(target).has(key)))
      .map((key) => ({ field, key: String(key), targets })),
  )
}
