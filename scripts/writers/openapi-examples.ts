import { readFileSync } from 'node:fs'
import { dealerExamples } from './dealer-examples.ts'
import type { ExampleRequest, Known } from './example-request.ts'

const web = { 'request-source': 'vendor.com', 'vendorus-profId': 'web-alice' }
const noMobile = { 'request-source': 'vendor.com', 'vendorus-profId': 'web-bob' }
const guest = { 'request-source': 'vendor.com' }
const bearer = { authorization: 'Bearer token-home' }

/** `known` holds what earlier replies brought: ids that later requests name. */
export function exampleRequests(known: Known): ExampleRequest[] {
  const value = (name: string) => known.get(name) ?? name
  const inStoreUser = { 'request-source': 'vendor.com', 'vendorus-profId': value('inStoreUser') }
  return [
    { operation: 1, method: 'GET', path: '/stg/us/contact/reason', headers: web },
    {
      operation: 2,
      method: 'GET',
      path: '/stg/us/contact/reason/fields',
      headers: web,
      parameters: { reasonId: 'ORDER_STATUS' },
    },
    { operation: 3, method: 'POST', path: '/stg/us/cti/guest/token', headers: guest },
    {
      operation: 4,
      method: 'POST',
      path: '/stg/us/customerFeedback',
      headers: web,
      body: { rating: 5, comment: 'The technician was on time.' },
    },
    ...dealerExamples(known),
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
        symptoms: ['IS01'],
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
      headers: inStoreUser,
      parameters: { srid: value('inStoreSrid') },
    },
    {
      operation: 26,
      method: 'POST',
      path: '/stg/us/guest/serviceRequest/asset/symptomImage',
      headers: { ...inStoreUser, 'content-type': 'multipart/form-data; boundary=example' },
      parameters: { srid: value('inStoreSrid') },
      payload: multipart(),
    },
    {
      operation: 31,
      method: 'DELETE',
      path: '/stg/us/instore/cancel',
      headers: inStoreUser,
      parameters: { srid: value('inStoreSrid') },
    },
    {
      operation: 35,
      method: 'DELETE',
      path: '/stg/us/instore/noauth/emailcancel',
      headers: guest,
      parameters: { srid: value('mailSrid'), key: value('mailKey') },
      needs: 'srid and key, from the link in the e-mail of operation 33 (GET /_control/outbox)',
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
  const image = readFileSync(new URL('../../test/helpers/images/picture.png', import.meta.url))
  const head =
    '--example\r\ncontent-disposition: form-data; name="imageFile"; filename="screen.png"\r\ncontent-type: image/png\r\n\r\n'
  return Buffer.concat([Buffer.from(head), image, Buffer.from('\r\n--example--\r\n')])
}
