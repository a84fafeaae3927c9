import type { StoredRecord } from '../types.ts'

/** The field that a collection's records are found by; the server's `collections.ts` says the same, by test. */
export const collectionKeys: Readonly<Record<string, string>> = {
  companies: 'companyId',
  profiles: 'userId',
  customers: 'bpNo',
  registeredProducts: 'productId',
  tickets: 'srid',
  stores: 'storeId',
  receiptFiles: 'receiptFileKey',
  serviceCenters: 'ascCode',
  bookings: 'appointmentId',
  inStoreRequests: 'srid',
  inStoreSymptoms: 'symptomId',
  inStoreArticles: 'articleId',
  taxonomies: 'taxonomyCode',
  contactReasons: 'reasonId',
  ctiTokens: 'tokenDigest',
  feedback: 'feedbackId',
  productCategories: 'id',
  productModels: 'modelCode',
  productUnits: 'prdId',
  symptoms: 'code',
  troubleshootingGuides: 'guideId',
  articleTrackings: 'trackingId',
  symptomImages: 'imageId',
  locations: 'locationId',
  devices: 'deviceId',
  smartApps: 'appId',
  installedApps: 'installedAppId',
  accessTokens: 'tokenDigest',
  subscriptions: 'subscriptionId',
  scenarios: 'scenarioId',
  partners: 'partnerCode',
  deviceModels: 'modelName',
  sellers: 'secret',
  serviceTokens: 'tokenDigest',
  purchases: 'purchaseID',
  outbox: 'messageId',
  settings: 'name',
  counters: 'kind',
}

export function keyOf(collection: string, record: StoredRecord): string {
  return String(record[collectionKeys[collection] ?? ''] ?? '')
}
