import { readFileSync } from 'node:fs'

/** One request a row: what `npm run openapi` sends, in this order, to have true examples in the OpenAPI files. */
export interface ExampleRequest {
  operation: number | string
  method: string
  path: string
  parameters?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string>>
  body?: unknown
  /** Raw payload, for bodies that are not JSON. */
  payload?: Buffer
}

const web = { 'request-source': 'vendor.com', 'vendorus-profId': 'web-alice' }
const noMobile = { 'request-source': 'vendor.com', 'vendorus-profId': 'web-bob' }
const dealer = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
const guest = { 'request-source': 'vendor.com' }
const bearer = { authorization: 'Bearer token-home' }

export type Known = ReadonlyMap<string, string>

/** `known` holds what earlier replies brought: ids that later requests name. */
export function exampleRequests(known: Known): ExampleRequest[] {
  const value = (name: string) => known.get(name) ?? name
  const customer = {
    firstName: 'Priya',
    lastName: 'Nair',
    email: 'priya.nair@example.com',
    phoneNumber: '201-555-0171',
    address1: '12 Main Street',
    city: 'Ridgefield Park',
    state: 'NJ',
    zipCode: '07660',
  }
  return [
    { operation: 1, method: 'GET', path: '/stg/us/contact/reason', headers: web },
    {
      operation: 2,
      method: 'GET',
      path: '/stg/us/contact/reason/fields',
      headers: web,
      parameters: { reasonId: value('reasonId') },
    },
    { operation: 3, method: 'POST', path: '/stg/us/cti/guest/token', headers: guest },
    {
      operation: 4,
      method: 'POST',
      path: '/stg/us/customerFeedback',
      headers: web,
      body: { rating: 5, comment: 'The technician was on time.' },
    },
    {
      operation: 5,
      method: 'GET',
      path: '/stg/us/dealer/categories/{id}/children',
      headers: dealer,
      parameters: { id: 'ROOT' },
    },
    {
      operation: 6,
      method: 'GET',
      path: '/stg/us/dealer/customers',
      headers: dealer,
      parameters: { bpNo: '1000000001' },
    },
    { operation: 7, method: 'POST', path: '/stg/us/dealer/customers', headers: dealer, body: customer },
    {
      operation: 8,
      method: 'POST',
      path: '/stg/us/dealer/customers/ticket',
      headers: dealer,
      body: {
        bpNo: '1000000001',
        modelCode: 'VM-TV55',
        serialNumber: '0TV55XYZ12A',
        serviceType: 'IH',
        symCode1: value('symCode1'),
        symCode2: value('symCode2'),
        symCode3: value('symCode3'),
        problemDescription: 'The picture flickers after ten minutes.',
        ascCode: 'ASC001',
        appointmentDate: value('appointmentDate'),
        timeSlot: value('timeSlot'),
      },
    },
    {
      operation: 9,
      method: 'POST',
      path: '/stg/us/dealer/customers/ticket/reschedule',
      headers: dealer,
      body: {
        srid: value('ticketSrid'),
        appointmentDate: value('laterDate'),
        timeSlot: value('laterSlot'),
        rescheduleReasonCode: 'CUSTOMER_REQUEST',
      },
    },
    {
      operation: 10,
      method: 'DELETE',
      path: '/stg/us/dealer/customers/ticket/{srid}',
      headers: dealer,
      parameters: { srid: value('ticketSrid') },
    },
    {
      operation: 11,
      method: 'GET',
      path: '/stg/us/dealer/customers/{customerId}/product',
      headers: dealer,
      parameters: { customerId: '1000000001' },
    },
    {
      operation: 12,
      method: 'GET',
      path: '/stg/us/dealer/customers/{customerId}/products',
      headers: dealer,
      parameters: { customerId: '1000000001' },
    },
    {
      operation: 13,
      method: 'POST',
      path: '/stg/us/dealer/customers/{id}',
      headers: dealer,
      parameters: { id: '1000000001' },
      body: { address2: 'Apartment 4' },
    },
    {
      operation: 14,
      method: 'POST',
      path: '/stg/us/dealer/customers/{id}/products',
      headers: dealer,
      parameters: { id: '1000000001' },
      body: { modelCode: 'VM-WM90', serialNumber: 'WM90AB12CD3', serviceType: 'IH', purchaseDate: '2026-01-15' },
    },
    {
      operation: 15,
      method: 'POST',
      path: '/stg/us/dealer/dispute',
      headers: dealer,
      body: {
        serial: '0TV55XYZ12A',
        modelCode: 'VM-TV55',
        bpNo: '1000000001',
        receiptFileKey: 'receipt-0001',
        purchaseDate: '2026-01-15',
      },
    },
    {
      operation: 16,
      method: 'GET',
      path: '/stg/us/dealer/schedule',
      headers: dealer,
      parameters: { zipCode: '07660', modelCode: 'VM-TV55' },
    },
    {
      operation: 17,
      method: 'GET',
      path: '/stg/us/dealer/stores',
      headers: dealer,
      parameters: { pagination: 'true', pageNo: '1', size: '2' },
    },
    { operation: 18, method: 'GET', path: '/stg/us/dealer/symptom', headers: dealer, parameters: { subType: 'TV' } },
    {
      operation: 19,
      method: 'GET',
      path: '/stg/us/dealer/tickets',
      headers: dealer,
      parameters: { statusList: ['E0001'], limit: '1' },
    },
    {
      operation: 20,
      method: 'GET',
      path: '/stg/us/dealer/tickets/{id}',
      headers: dealer,
      parameters: { id: value('ticketSrid') },
    },
    {
      operation: 21,
      method: 'GET',
      path: '/stg/us/dealer/troubleshooting',
      headers: dealer,
      parameters: { modelCode: 'VM-TV55', symCode3: value('symCode3') },
    },
    {
      operation: 22,
      method: 'POST',
      path: '/stg/us/guest/customerFeedback',
      headers: guest,
      body: { rating: 4, comment: 'Found my answer at once.' },
    },
    {
      operation: 23,
      method: 'POST',
      path: '/stg/us/guest/product/validation',
      headers: guest,
      parameters: { prdId: '490154203237518', modelCode: 'VM-S100' },
    },
    {
      operation: 24,
      method: 'GET',
      path: '/stg/us/guest/product/validation/{deviceId}',
      headers: guest,
      parameters: { deviceId: '490154203237518' },
    },
    { operation: 25, method: 'GET', path: '/stg/us/guest/schedule', headers: guest, parameters: { zipCode: '07660' } },
    { operation: 27, method: 'GET', path: '/stg/us/guest/symptom', headers: guest, parameters: { subType: 'PHONE' } },
    {
      operation: 28,
      method: 'GET',
      path: '/stg/us/guest/symptom/changeColor',
      headers: guest,
      parameters: { modelCode: 'VM-S100' },
    },
    {
      operation: 29,
      method: 'GET',
      path: '/stg/us/guest/troubleshooting',
      headers: guest,
      parameters: { modelCode: 'VM-S100' },
    },
    { operation: 30, method: 'GET', path: '/stg/us/guest/zipCode', headers: guest, parameters: { zipCode: '07660' } },
    { operation: 32, method: 'GET', path: '/stg/us/instore/checkmobile', headers: noMobile },
    {
      operation: 37,
      method: 'GET',
      path: '/stg/us/instore/noauth/slots',
      headers: guest,
      parameters: { ascType: 'WALKIN', ascCode: 'ASC001' },
    },
    { operation: 38, method: 'GET', path: '/stg/us/instore/noauth/symptoms', headers: guest },
    {
      operation: 33,
      method: 'POST',
      path: '/stg/us/instore/create',
      headers: noMobile,
      body: {
        ascType: 'WALKIN',
        ascCode: 'ASC001',
        appointmentDate: value('inStoreDate'),
        startTime: value('inStoreTime'),
        symptoms: [value('symptomId')],
        modelCode: 'VM-S100',
        firstName: 'Bob',
        lastName: 'Ortiz',
        email: 'bob.ortiz@example.com',
        zipCode: '07660',
        mobilePhone: '201-555-0143',
        problemDescription: 'The screen stays black.',
      },
    },
    {
      operation: 34,
      method: 'GET',
      path: '/stg/us/instore/detail',
      headers: noMobile,
      parameters: { srid: value('inStoreSrid') },
    },
    {
      operation: 26,
      method: 'POST',
      path: '/stg/us/guest/serviceRequest/asset/symptomImage',
      headers: { ...noMobile, 'content-type': 'multipart/form-data; boundary=example' },
      parameters: { srid: value('inStoreSrid') },
      payload: multipart(),
    },
    {
      operation: 31,
      method: 'DELETE',
      path: '/stg/us/instore/cancel',
      headers: noMobile,
      parameters: { srid: value('inStoreSrid') },
    },
    {
      operation: 35,
      method: 'DELETE',
      path: '/stg/us/instore/noauth/emailcancel',
      headers: guest,
      parameters: { srid: value('mailSrid'), key: value('mailKey') },
    },
    {
      operation: 36,
      method: 'GET',
      path: '/stg/us/instore/noauth/nearest',
      headers: guest,
      parameters: { zipCode: '07660', modelCode: 'VM-S100' },
    },
    { operation: 39, method: 'GET', path: '/stg/us/instore/noauth/taxonomy', headers: guest },
    { operation: 40, method: 'GET', path: '/stg/us/instore/noauth/taxonomyTree', headers: guest },
    { operation: 41, method: 'GET', path: '/stg/us/instore/noauth/tsg', headers: guest },
    {
      operation: 'createSubscription',
      method: 'POST',
      path: '/subscriptions',
      headers: bearer,
      body: { name: 'home', version: 1, subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] },
    },
  ]
}

function multipart(): Buffer {
  const image = readFileSync(new URL('../test/helpers/images/picture.png', import.meta.url))
  const head =
    '--example\r\ncontent-disposition: form-data; name="imageFile"; filename="screen.png"\r\ncontent-type: image/png\r\n\r\n'
  return Buffer.concat([Buffer.from(head), image, Buffer.from('\r\n--example--\r\n')])
}
