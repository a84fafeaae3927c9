import type * as z from 'zod'
import { accessToken } from './events/access-token.ts'
import { booking } from './appointments/appointment.ts'
import { company, profile } from './profile.ts'
import { ctiTokenRecord } from './guest/cti-token.ts'
import { customerRecord } from './dealer/customer.ts'
import { device } from './events/device.ts'
import { deviceModel, partner } from './wallet/device-model.ts'
import { feedback } from './guest/feedback.ts'
import { inStoreRequest } from './in-store/in-store-request.ts'
import { location, installedApp, smartApp } from './events/location.ts'
import { contactReason } from './guest/order-help.ts'
import { outboxMessage } from './control/outbox-message.ts'
import { productModel, productUnit, receiptFile, registeredProduct } from './dealer/product.ts'
import { productCategoryRecord } from './guest/product-category.ts'
import { purchase } from './billing/purchase.ts'
import { rateCounter, session } from './control/session.ts'
import { scenario } from './events/scenario.ts'
import { counter, setting } from './control/setting.ts'
import { seller, serviceToken } from './billing/seller.ts'
import { serviceCenter } from './appointments/service-center.ts'
import { ticket, ticketOrders } from './dealer/ticket.ts'
import { storeLocation, storeOrders } from './dealer/store-location.ts'
import { subscription } from './events/subscription.ts'
import { articleTracking, inStoreArticle, inStoreSymptom, symptom, troubleshootingGuide } from './guest/symptom.ts'
import { symptomImageMeta } from './guest/symptom-image.ts'
import { taxonomyEntry } from './in-store/taxonomy.ts'

export const collections = {
  companies: collection(company, 'companyId', []),
  profiles: collection(profile, 'userId', [{ on: ['companyId'] }]),

  // Collections of document 1: dealer portal
  customers: collection(customerRecord, 'bpNo', [
    { on: ['companyId'], orderBy: ['bpNo', 'createdAt'] },
    { on: ['companyId', 'phoneNumber'] },
    { on: ['companyId', 'zip5'] },
    { on: ['companyId', 'zipCode'] },
    { on: ['companyId', 'lastNameKey'] },
    { on: ['companyId', 'firstNameKey'] },
  ]),
  registeredProducts: collection(registeredProduct, 'productId', [
    { on: ['bpNo'], orderBy: ['registeredAt'] },
    { on: ['bpNo', 'serviceType'], orderBy: ['registeredAt'] },
    { on: ['bpNo', 'modelCode'], orderBy: ['registeredAt'] },
    { on: ['userId'], orderBy: ['registeredAt'] },
    { on: ['serialNumber'] },
    { on: ['imei'] },
  ]),
  tickets: collection(ticket, 'srid', [
    { on: ['companyId'], orderBy: ticketOrders },
    { on: ['companyId', 'status'], orderBy: [...ticketOrders, 'appointment.date'] },
    { on: ['companyId', 'serviceType'], orderBy: ticketOrders },
    { on: ['companyId', 'status', 'serviceType'], orderBy: ['createdAt'] },
    { on: ['companyId', 'phoneNumber'], orderBy: ['createdAt'] },
    { on: ['companyId', 'modelCode'], orderBy: ['createdAt'] },
    { on: ['bpNo'], orderBy: ['createdAt'] },
    { on: ['status'] },
    { on: ['ticketNumber'], unique: true },
  ]),
  stores: collection(storeLocation, 'storeId', [
    { on: ['companyId'], orderBy: storeOrders },
    { on: ['companyId', 'storeNumber'], orderBy: ['storeName'] },
    { on: ['companyId', 'storePhone'], orderBy: ['storeName'] },
  ]),
  receiptFiles: collection(receiptFile, 'receiptFileKey', []),

  // Collections of document 1: appointments
  serviceCenters: collection(serviceCenter, 'ascCode', [{ on: ['ascType'] }]),
  bookings: collection(booking, 'appointmentId', [
    { on: ['ascCode', 'date'] },
    { on: ['slotId'] },
    { on: ['holder'], orderBy: ['startsAt'] },
    { on: ['srid'] },
  ]),

  // Collections of document 1: in-store service
  inStoreRequests: collection(inStoreRequest, 'srid', [
    { on: ['userId'], orderBy: ['createdAt'] },
    { on: ['userId', 'status'], orderBy: ['createdAt'] },
    { on: ['status'] },
    { on: ['cancelKeyDigest'] },
    { on: ['ticketNumber'], unique: true },
  ]),
  inStoreSymptoms: collection(inStoreSymptom, 'symptomId', [{ on: ['bespoke'] }]),
  inStoreArticles: collection(inStoreArticle, 'articleId', [{ on: ['symptomId'] }]),
  taxonomies: collection(taxonomyEntry, 'taxonomyCode', [{ on: ['upperTaxonomyCode'], orderBy: ['displayOrder'] }]),

  // Other collections of document 1
  contactReasons: collection(contactReason, 'reasonId', [{ on: [], orderBy: ['displayOrder'] }]),
  ctiTokens: collection(ctiTokenRecord, 'tokenDigest', []),
  feedback: collection(feedback, 'feedbackId', [{ on: [], orderBy: ['createdAt'] }]),
  productCategories: collection(productCategoryRecord, 'id', [{ on: ['parentId'], orderBy: ['displayOrder'] }]),
  productModels: collection(productModel, 'modelCode', [{ on: ['subType'] }, { on: ['category'] }]),
  productUnits: collection(productUnit, 'prdId', []),
  symptoms: collection(symptom, 'code', [
    { on: ['subType', 'level'], orderBy: ['displayOrder'] },
    { on: ['parentCode'], orderBy: ['displayOrder'] },
  ]),
  troubleshootingGuides: collection(troubleshootingGuide, 'guideId', [{ on: ['symCode'] }, { on: ['subType'] }]),
  articleTrackings: collection(articleTracking, 'trackingId', [{ on: ['srid'], orderBy: ['at'] }]),
  symptomImages: collection(symptomImageMeta, 'imageId', [{ on: ['srid'], orderBy: ['sequence'] }, { on: ['sha256'] }]),

  // Collections of document 2: events
  locations: collection(location, 'locationId', []),
  devices: collection(device, 'deviceId', [{ on: ['locationId'] }]),
  smartApps: collection(smartApp, 'appId', []),
  installedApps: collection(installedApp, 'installedAppId', [{ on: ['locationId'] }, { on: ['appId'] }]),
  accessTokens: collection(accessToken, 'tokenDigest', [{ on: ['user'] }]),
  subscriptions: collection(subscription, 'subscriptionId', [{ on: ['user'] }, { on: [], orderBy: ['usedAt'] }]),
  scenarios: collection(scenario, 'scenarioId', []),

  // Collections of document 2: wallet
  partners: collection(partner, 'partnerCode', []),
  deviceModels: collection(deviceModel, 'modelName', []),

  // Collections of document 3: billing
  sellers: collection(seller, 'secret', []),
  serviceTokens: collection(serviceToken, 'tokenDigest', [{ on: ['sellerSecret'], orderBy: ['issuedAt'] }]),
  purchases: collection(purchase, 'purchaseID', [{ on: ['sellerSecret'], orderBy: ['purchasedAt'] }]),

  outbox: collection(outboxMessage, 'messageId', [{ on: [], orderBy: ['sentAt'] }, { on: ['srid'] }]),
  sessions: collection(session, 'identity', [{ on: [], orderBy: ['since'] }]),
  rateCounters: collection(rateCounter, 'caller', [{ on: [], orderBy: ['since'] }]),
  settings: collection(setting, 'name', []),
  counters: collection(counter, 'kind', []),
}

export type CollectionName = keyof typeof collections
export type RecordOf<N extends CollectionName> = Readonly<z.output<(typeof collections)[N]['schema']>>
export type FieldOf<N extends CollectionName> =
  | (typeof collections)[N]['key']
  | (typeof collections)[N]['indexes'][number]['on'][number]

export const collectionNames = Object.keys(collections) as CollectionName[]

/** An index that finds records by the `on` fields and sorts them by any of the `orderBy` fields, or by the key. */
export interface IndexDeclaration<F extends string = string> {
  readonly on: readonly F[]
  readonly orderBy?: readonly (F | `${F}.${string}`)[]
  readonly unique?: true
}

export interface Collection {
  readonly schema: z.ZodType<Readonly<Record<string, unknown>>>
  readonly key: string
  readonly indexes: readonly IndexDeclaration[]
}

type Field<S extends z.ZodObject> = keyof z.output<S> & string

function collection<
  S extends z.ZodObject,
  const K extends Field<S>,
  const I extends readonly IndexDeclaration<Field<S>>[],
>(schema: S, key: K, indexes: I) {
  return { schema, key, indexes }
}
