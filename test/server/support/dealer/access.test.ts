import { describe, expect, test } from 'vitest'
import { asApp, asGuest, asWeb, buildTestApp } from '../../../helpers/build-test-app.ts'
import { asToby, openDealerPortal } from '../../../helpers/documents/dealer-portal.ts'
import { newCustomer } from '../../../helpers/records.ts'

const operations = [
  [5, 'GET', '/categories/ROOT/children'],
  [6, 'GET', '/customers'],
  [7, 'POST', '/customers'],
  [11, 'GET', '/customers/9100000001/product'],
  [12, 'GET', '/customers/9100000001/products'],
  [13, 'POST', '/customers/9100000001'],
  [14, 'POST', '/customers/9100000001/products'],
  [15, 'POST', '/dispute'],
  [17, 'GET', '/stores'],
  [19, 'GET', '/tickets'],
  [20, 'GET', '/tickets/9410000001'],
] as const

describe.each(operations)('operation %i', (_, method, path) => {
  const open = async () => {
    const { app } = await openDealerPortal()
    return (headers: Record<string, string>, query = '') =>
      app.inject({ method, url: `/stg/us/dealer${path}${query}`, headers, ...(method === 'POST' && { payload: {} }) })
  }

  test('returns 400 if request-source is missing, whatever else is wrong', async () => {
    const call = await open()
    const reply = await call({ 'vendorus-profId': 'dealer-tess' })
    expect(reply.statusCode).toBe(400)
    expect(reply.json().error.details).toMatchObject([{ target: 'header.request-source' }])
  })

  test('returns 401 if the identity is missing or has no profile', async () => {
    const call = await open()
    expect((await call(asGuest())).statusCode).toBe(401)
    expect((await call(asWeb('nobody-at-all'))).statusCode).toBe(401)
    expect((await call(asApp('dealer-tess'))).statusCode).toBe(401)
  })

  test('returns 403 for a profile without a dealer company', async () => {
    const call = await open()
    expect((await call(asWeb('no-dealer'))).statusCode).toBe(403)
  })

  test('returns 403 for a companyId of another company, even if other input is invalid', async () => {
    const call = await open()
    const reply = await call(asToby(), '?companyId=T100&offset=x&pageNo=x')
    expect(reply.statusCode).toBe(403)
    expect(reply.json().error).toMatchObject({ code: 'ForbiddenError', details: [] })
  })
})

describe('a companyId in a body', () => {
  test.each(['/customers', '/customers/9100000001', '/customers/9100000001/products', '/dispute'])(
    'a body with the companyId of another company returns 403 at %s',
    async (path) => {
      const { post } = await openDealerPortal()
      expect((await post(path, { companyId: 'T200' })).statusCode).toBe(403)
    },
  )

  test('an empty companyId in a body counts as absent', async () => {
    const { store, post } = await openDealerPortal()
    await store.transaction((tx) => tx.customers.put(newCustomer()))
    const reply = await post('/customers/9100000001', { companyId: '', firstName: 'Robin' })
    expect(reply.statusCode).toBe(200)
    expect(reply.json().body).toMatchObject({ companyId: 'T100', firstName: 'Robin' })
  })

  test("a body with the companyId of the caller's own company is accepted", async () => {
    const { store, post } = await openDealerPortal()
    await store.transaction((tx) => tx.customers.put(newCustomer()))
    expect((await post('/customers/9100000001', { companyId: 'T100' })).statusCode).toBe(200)
  })
})

test.each([
  ['splus', 'splus-dealer-sofia', 'C100'],
  ['voyager', 'voyager-dealer-victor', 'C200'],
])(
  'in requests of the application %s, the GUID %s identifies a dealer of company %s',
  async (source, guid, companyId) => {
    const { app } = buildTestApp()
    const url = '/stg/us/dealer/tickets?limit=1'
    const reply = await app.inject({ url, headers: asApp(guid, source) })
    expect([reply.statusCode, reply.json().items[0].companyId]).toEqual([200, companyId])
    expect((await app.inject({ url, headers: { 'request-source': source, 'vendorus-profId': guid } })).statusCode).toBe(
      401,
    )
  },
)
