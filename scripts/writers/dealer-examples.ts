import type { ExampleRequest, Known } from './example-request.ts'

/** A known ticket of the fixtures. */
const OPEN_TICKET = '4100000017'
const dealer = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }

/** Operations 5 to 21, in the order of a dealer's day. */
export function dealerExamples(known: Known): ExampleRequest[] {
  const value = (name: string) => known.get(name) ?? name
  return [
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
        serialNumber: '0TV55NEW01B',
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
        srid: OPEN_TICKET,
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
      parameters: { srid: OPEN_TICKET },
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
      body: { ...nora, address2: 'Apartment 4' },
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
      parameters: { pagination: 'true', pageNo: '1', size: '2', accessToken: 'token-home' },
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
      parameters: { id: OPEN_TICKET },
    },
    {
      operation: 21,
      method: 'GET',
      path: '/stg/us/dealer/troubleshooting',
      headers: dealer,
      parameters: { modelCode: 'VM-TV55', symCode3: value('symCode3') },
    },
  ]
}

const customer = {
  firstName: 'Priya',
  lastName: 'Nair',
  email: 'priya.nair@example.com',
  phoneNumber: '+12015550171',
  address1: '12 Main Street',
  city: 'Ridgefield Park',
  state: 'NJ',
  zipCode: '07660',
}

const nora = {
  firstName: 'Nora',
  lastName: 'Whitfield',
  email: 'nora.whitfield@example.com',
  phoneNumber: '+12015550143',
  address1: '214 Mount Vernon Street',
  city: 'Ridgefield Park',
  state: 'NJ',
  zipCode: '07660',
}
