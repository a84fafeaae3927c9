import { describe, expect, test } from 'vitest'
import { asToby, expectSameRefusal, findingsOf, openDealerPortal } from '../../../helpers/documents/dealer-portal.ts'
import { newCustomer } from '../../../helpers/records.ts'

const draft = {
  firstName: 'Pat',
  lastName: 'Doe',
  email: 'pat@example.com',
  phoneNumber: '(201) 555-0143',
  address1: '12 Main Street',
  city: 'Ridgefield Park',
  state: 'nj',
  zipCode: '07660-1234',
}

async function openWithCustomers() {
  const portal = await openDealerPortal()
  await portal.store.transaction(async (tx) => {
    await tx.customers.put(newCustomer({ bpNo: '9100000002', firstName: 'José', zipCode: '07660-1234' }))
    await tx.customers.put(newCustomer({ bpNo: '9100000001', lastName: "O'Neil" }))
    await tx.customers.put(newCustomer({ bpNo: '9100000003', phoneNumber: '+12125550100' }))
    await tx.customers.put(newCustomer({ bpNo: '9200000001', companyId: 'T200', lastName: 'Foreign' }))
  })
  return portal
}

describe('operation 6', () => {
  test.each([
    ['', '9100000001', 3],
    ['?companyId=T100', '9100000001', 3],
    ['?firstName=JOS%C3%89', '9100000002', 1],
    ['?firstName=Jose%CC%81', '9100000002', 1],
    ["?lastName=o'neil", '9100000001', 1],
    ['?phoneNumber=201-555-0143', '9100000001', 2],
    ['?phoneNumber=%2B12125550100&lastName=doe', '9100000003', 1],
    ['?zipCode=07660', '9100000001', 3],
    ['?zipCode=07660-1234', '9100000002', 1],
    ['?bpNo=9100000003&firstName=&zipCode=07660', '9100000003', 1],
  ])('returns 200 for %j with the matching customer that has the lowest bpNo', async (query, bpNo, count) => {
    const { get } = await openWithCustomers()
    const reply = await get(`/customers${query}`)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({ bpNo, companyId: 'T100' })
    expect(reply.headers['x-total-count']).toBe(String(count))
  })

  test('returns a customer without internal fields', async () => {
    const { get } = await openWithCustomers()
    const reply = (await get('/customers?bpNo=9100000001')).json()
    const { firstNameKey: _, lastNameKey: __, zip5: ___, ...customer } = newCustomer({ lastName: "O'Neil" })
    expect(reply).toEqual(customer)
  })

  test.each([
    '?firstName=Pat&lastName=Nobody',
    '?bpNo=9200000001',
    '?bpNo=12',
    '?lastName=Foreign',
    '?zipCode=7660',
    '?phoneNumber=none',
  ])('returns 404 for %j, which no customer of the company matches', async (query) => {
    const { get } = await openWithCustomers()
    const reply = await get(`/customers${query}`)
    expect(reply.statusCode).toBe(404)
    expect(reply.headers['x-total-count']).toBeUndefined()
  })

  test('returns the same 404 for a bpNo of another company and an unknown bpNo', async () => {
    const { get } = await openWithCustomers()
    expectSameRefusal(404, await get('/customers?bpNo=9200000001'), await get('/customers?bpNo=9999999999'))
  })

  test('returns 400 for a repeated filter', async () => {
    const { get } = await openWithCustomers()
    expect(findingsOf(await get('/customers?bpNo=1&bpNo=2'))).toEqual(['RepeatedParameter query.bpNo'])
  })
})

describe('operation 7', () => {
  test('returns 200 with the created customer, and operation 6 then finds the customer', async () => {
    const { post, get } = await openDealerPortal()
    const reply = await post('/customers', draft)
    expect(reply.statusCode).toBe(200)
    const { status, code, message, body } = reply.json()
    expect({ status, code }).toEqual({ status: 200, code: 'OK' })
    expect(message).not.toBe('')
    const set = { companyId: 'T100', country: 'US', createdAt: '2026-05-06T16:00:00.000Z' }
    expect(body).toMatchObject({ ...draft, ...set, phoneNumber: '+12015550143', state: 'NJ' })
    expect(body.bpNo).toMatch(/^\d{10}$/)
    expect((await get('/customers?firstName=pat')).json()).toEqual(body)
  })

  test('ignores fields in the body that the server sets', async () => {
    const { post } = await openDealerPortal()
    const forged = { bpNo: '9100000009', country: 'DE', createdAt: '2001-01-01T00:00:00Z', zip5: '00000', other: 1 }
    const { body } = (await post('/customers', { ...draft, ...forged })).json()
    expect(body).toMatchObject({ country: 'US', createdAt: '2026-05-06T16:00:00.000Z' })
    expect(body.bpNo).not.toBe('9100000009')
    expect(body).not.toHaveProperty('other')
  })

  test('returns 400 with an error for each missing field', async () => {
    const { post } = await openDealerPortal()
    const reply = await post('/customers', { firstName: '', lastName: null })
    expect(reply.statusCode).toBe(400)
    const required = ['firstName', 'lastName', 'email', 'phoneNumber', 'address1', 'city', 'state', 'zipCode']
    expect(findingsOf(reply).sort()).toEqual(required.map((name) => `MissingParameter body.${name}`).sort())
  })

  test('returns 400 without a body', async () => {
    const { post } = await openDealerPortal()
    expect(findingsOf(await post('/customers'))).toEqual(['MissingParameter body'])
  })

  test('returns 400 with the correct state if the state does not match the zip code', async () => {
    const { post } = await openDealerPortal()
    const reply = await post('/customers', { ...draft, state: 'MA' })
    expect(findingsOf(reply)).toEqual(['InvalidParameter body.state'])
    expect(reply.body).toContain('body.state must be NJ for zip code 07660')
  })

  test('returns 400 for an unassigned zip code', async () => {
    const { post } = await openDealerPortal()
    expect(findingsOf(await post('/customers', { ...draft, zipCode: '00000' }))).toEqual([
      'InvalidParameter body.zipCode',
    ])
  })

  test.each([
    ['07660', 'NJ', 'Ridgefield  park'],
    ['10001', 'NY', 'Manhattan'],
    ['10001', 'NY', 'New York City'],
    ['90028', 'CA', 'Hollywood'],
  ])('accepts another name or spelling of the city for %s, %s: %s', async (zipCode, state, city) => {
    const { post } = await openDealerPortal()
    const reply = await post('/customers', { ...draft, zipCode, state, city })
    expect([reply.statusCode, reply.json().body.city]).toEqual([200, city])
  })
})

describe('operation 13', () => {
  test('returns 200 with the changed fields, and does not change other fields', async () => {
    const { post, get, clock } = await openWithCustomers()
    clock.advance(1000)
    const reply = await post('/customers/9100000002', { phoneNumber: '212-555-0111', lastName: 'Roe' })
    expect(reply.statusCode).toBe(200)
    const changed = { phoneNumber: '+12125550111', lastName: 'Roe', updatedAt: '2026-05-06T16:00:01.000Z' }
    expect(reply.json().body).toMatchObject({ firstName: 'José', email: 'pat@example.com', ...changed })
    expect((await get('/customers?lastName=roe&phoneNumber=2125550111')).json()).toEqual(reply.json().body)
  })

  test('returns 200 for a new zip code with its city and state', async () => {
    const { post, get } = await openWithCustomers()
    const moved = { zipCode: '10001', city: 'New York', state: 'NY' }
    expect((await post('/customers/9100000001', moved)).json().body).toMatchObject(moved)
    expect((await get('/customers?zipCode=10001')).json().bpNo).toBe('9100000001')
  })

  test('returns 400 for a zip code that does not match the state', async () => {
    const { post } = await openWithCustomers()
    const reply = await post('/customers/9100000001', { zipCode: '10001' })
    expect(findingsOf(reply)).toEqual(['InvalidParameter body.zipCode'])
    expect(reply.json().error.message).toContain('body.zipCode is in NY, and the state is NJ')
    const state = await post('/customers/9100000001', { state: 'NY' })
    expect(findingsOf(state)).toEqual(['InvalidParameter body.state'])
    const both = await post('/customers/9100000001', { zipCode: '10001', state: 'NJ' })
    expect(findingsOf(both)).toEqual(['InvalidParameter body.state'])
    const unused = await post('/customers/9100000001', { zipCode: '00000' })
    expect(findingsOf(unused)).toEqual(['InvalidParameter body.zipCode'])
  })

  test.each([null, ''])('removes optional fields that are sent as %j', async (empty) => {
    const { post, get } = await openWithCustomers()
    const more = { address2: 'Apt 1', mobilePhone: '201-555-0144' }
    expect((await post('/customers/9100000001', more)).json().body).toMatchObject({ address2: 'Apt 1' })
    const reply = await post('/customers/9100000001', { address2: empty, mobilePhone: empty, bpNo: empty })
    expect(reply.statusCode).toBe(200)
    expect(Object.keys(reply.json().body)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/address2|mobile/)]),
    )
    expect((await get('/customers?bpNo=9100000001')).json()).toEqual(reply.json().body)
  })

  test.each([null, ''])('returns 400 for %j in a required field and changes nothing', async (empty) => {
    const { post, get } = await openWithCustomers()
    const before = (await get('/customers?bpNo=9100000001')).json()
    for (const field of ['firstName', 'lastName', 'email', 'phoneNumber', 'address1', 'city', 'state', 'zipCode']) {
      const reply = await post('/customers/9100000001', { address1: '1 New Street', [field]: empty })
      expect([field, reply.statusCode]).toEqual([field, 400])
      const told = { message: `body.${field} is required`, source: 'our choice: customer-edit' }
      expect(reply.json().error.details).toMatchObject([{ code: 'MissingParameter', ...told }])
    }
    expect((await get('/customers?bpNo=9100000001')).json()).toEqual(before)
  })

  test('returns 400 with all errors for several invalid fields', async () => {
    const { post } = await openWithCustomers()
    const reply = await post('/customers/9100000001', { email: 'no', phoneNumber: 'no', state: 'NJX' })
    expect(reply.statusCode).toBe(400)
    expect(findingsOf(reply)).toHaveLength(3)
  })

  test('ignores fields in the body that the server sets', async () => {
    const { post } = await openWithCustomers()
    const { body } = (await post('/customers/9100000001', { createdAt: '2001-01-01T00:00:00Z', zip5: 'x' })).json()
    expect(body).toMatchObject({ bpNo: '9100000001', createdAt: '2026-05-01T12:00:00.000Z' })
  })

  test('returns the same 404 for a customer of another company and an unknown customer', async () => {
    const { post, get } = await openWithCustomers()
    const foreign = await post('/customers/9200000001', { lastName: 'Mine' })
    expectSameRefusal(404, foreign, await post('/customers/9999999999', { lastName: 'Mine' }))
    expect((await get('/customers', asToby())).json().lastName).toBe('Foreign')
  })

  test('returns 404 if the bpNo in the body or query differs from the path', async () => {
    const { post } = await openWithCustomers()
    const [same, other] = [{ bpNo: '9100000001' }, { bpNo: '9100000002' }]
    expect((await post('/customers/9100000001', other)).statusCode).toBe(404)
    expect((await post('/customers/9100000001?bpNo=9100000001', other)).statusCode).toBe(404)
    expect((await post('/customers/9100000001?bpNo=9100000002', same)).statusCode).toBe(404)
    expect((await post('/customers/9100000001?bpNo=9100000001', same)).statusCode).toBe(200)
    expect((await post('/customers/9100000001?bpNo=', {})).statusCode).toBe(200)
  })
})
