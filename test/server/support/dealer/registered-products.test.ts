import { describe, expect, test } from 'vitest'
import { asToby, expectSameRefusal, findingsOf, openDealerPortal } from '../../../helpers/documents/dealer-portal.ts'
import { newCustomer, newProductModel, newRegisteredProduct } from '../../../helpers/records.ts'

const draft = { modelCode: 'vm-test1', serialNumber: '0test999999', serviceType: 'IH', purchaseDate: '2026-01-31' }
const customer = '/customers/9100000001'

async function openWithProducts() {
  const portal = await openDealerPortal()
  await portal.store.transaction(async (tx) => {
    await tx.customers.put(newCustomer())
    await tx.customers.put(newCustomer({ bpNo: '9100000002' }))
    await tx.customers.put(newCustomer({ bpNo: '9200000001', companyId: 'T200' }))
    await tx.productModels.put(newProductModel())
    await tx.registeredProducts.put(newRegisteredProduct({ productId: 'P-1', registeredAt: '2026-04-01T00:00:00Z' }))
    const newer = { serialNumber: '0TEST123457', modelCode: 'VM-TEST2', serviceType: 'SR' } as const
    const ended = { warrantyEndDate: '2026-05-05', registeredAt: '2026-04-02T00:00:00Z' }
    await tx.registeredProducts.put(newRegisteredProduct({ productId: 'P-2', ...newer, ...ended }))
    const foreign = { bpNo: '9200000001', companyId: 'T200' }
    await tx.registeredProducts.put(newRegisteredProduct({ productId: 'P-3', ...foreign }))
  })
  return portal
}

describe('operation 11', () => {
  test.each([
    ['', 'P-2'],
    ['?serviceType=IH', 'P-1'],
    ['?modelCode=vm-test1', 'P-1'],
    ['?serialNumber=0test123457&serviceType=SR', 'P-2'],
    ['?bpNo=9100000001&companyId=T100&modelCode=', 'P-2'],
  ])('returns 200 for %j with the matching product that was registered last', async (query, productId) => {
    const { get } = await openWithProducts()
    const reply = await get(`${customer}/product${query}`)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({ productId, bpNo: '9100000001', companyId: 'T100' })
  })

  test('returns inWarranty: true up to and including the end date of the warranty', async () => {
    const { get, clock } = await openWithProducts()
    const read = async () => (await get(`${customer}/product?serviceType=IH`)).json()
    expect(await read()).toMatchObject({ inWarranty: true, warrantyEndDate: '2027-03-01' })
    expect((await get(`${customer}/product?serviceType=SR`)).json()).toMatchObject({ inWarranty: false })
    clock.set('2027-03-01T23:59:59Z')
    expect(await read()).toMatchObject({ inWarranty: true })
    clock.advance(1000)
    expect(await read()).toMatchObject({ inWarranty: false })
  })

  test.each(['?serviceType=CI', '?modelCode=VM-NONE', '?serialNumber=x', '?serialNumber=0TEST123456&serviceType=SR'])(
    'returns 404 for %j, which no product matches',
    async (query) => {
      const { get } = await openWithProducts()
      expect((await get(`${customer}/product${query}`)).statusCode).toBe(404)
    },
  )

  test('returns 404 if the bpNo in the query differs from the one in the path', async () => {
    const { get } = await openWithProducts()
    expect((await get(`${customer}/product?bpNo=9100000002`)).statusCode).toBe(404)
  })

  test('returns the same 404 for a customer of another company and an unknown customer', async () => {
    const { get } = await openWithProducts()
    expectSameRefusal(404, await get('/customers/9200000001/product'), await get('/customers/9999999999/product'))
  })
})

describe('operation 12', () => {
  test('returns 200 with all products, the last registered first', async () => {
    const { get } = await openWithProducts()
    const reply = await get(`${customer}/products`)
    expect(reply.statusCode).toBe(200)
    const { items, ...page } = reply.json()
    expect(items.map(({ productId }: { productId: string }) => productId)).toEqual(['P-2', 'P-1'])
    expect(page).toEqual({ totalCount: 2, offset: 0, limit: 100, hasMore: false })
  })

  test('returns 200 with an empty list for a customer without products', async () => {
    const { get } = await openWithProducts()
    const reply = await get('/customers/9100000002/products')
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({ items: [], totalCount: 0, hasMore: false })
    expect((await get(`${customer}/products?serviceType=XX`)).json()).toMatchObject({ totalCount: 0 })
  })

  test('returns the same 404 for an unknown customer, another company or a different bpNo', async () => {
    const { get } = await openWithProducts()
    const unknown = await get('/customers/9999999999/products')
    expectSameRefusal(404, await get('/customers/9200000001/products'), unknown)
    expectSameRefusal(404, await get(`${customer}/products?bpNo=9100000002`), unknown)
  })
})

describe('operation 14', () => {
  test('returns 200 with the product, and operation 11 then finds the product', async () => {
    const { post, get } = await openWithProducts()
    const reply = await post(`${customer}/products`, draft)
    expect(reply.statusCode).toBe(200)
    const set = { bpNo: '9100000001', companyId: 'T100', subType: 'TV', category: 'TV-LED', inWarranty: true }
    expect(reply.json()).toMatchObject({
      ...set,
      modelCode: 'VM-TEST1',
      serialNumber: '0TEST999999',
      warrantyEndDate: '2027-01-31',
      registeredAt: '2026-05-06T16:00:00.000Z',
    })
    expect((await get(`${customer}/product`)).json()).toEqual(reply.json())
  })

  test('starts the warranty on the registration date if the purchase date is missing', async () => {
    const { post } = await openWithProducts()
    const reply = await post(`${customer}/products`, { ...draft, purchaseDate: undefined })
    expect(reply.json()).toMatchObject({ warrantyEndDate: '2027-05-06' })
  })

  test('returns the same product for repeated requests', async () => {
    const { post, get } = await openWithProducts()
    const replies = await Promise.all(Array.from({ length: 10 }, () => post(`${customer}/products`, draft)))
    expect(new Set(replies.map((reply) => reply.json().productId)).size).toBe(1)
    expect((await get(`${customer}/products`)).json().totalCount).toBe(3)
  })

  test('ignores fields in the body that the server sets', async () => {
    const { post } = await openWithProducts()
    const forged = { productId: 'P-1', subType: 'PHONE', inWarranty: false, warrantyEndDate: '2099-01-01', userId: 'x' }
    const product = (await post(`${customer}/products`, { ...draft, ...forged })).json()
    expect(product).toMatchObject({ subType: 'TV', inWarranty: true, warrantyEndDate: '2027-01-31' })
    expect(product.productId).not.toBe('P-1')
  })

  test('returns 400 with all errors for several invalid fields', async () => {
    const { post } = await openWithProducts()
    const wrong = { serialNumber: 'short', serviceType: 'XX', purchaseDate: '2026-02-30', imei: '490154203237519' }
    expect(findingsOf(await post(`${customer}/products`, wrong)).sort()).toEqual([
      'InvalidParameter body.imei',
      'InvalidParameter body.purchaseDate',
      'InvalidParameter body.serialNumber',
      'InvalidParameter body.serviceType',
      'MissingParameter body.modelCode',
    ])
  })

  test('returns 400 for a purchase date before 1970 or in the future', async () => {
    const { post } = await openWithProducts()
    const future = await post(`${customer}/products`, { ...draft, purchaseDate: '2026-05-07' })
    expect(future.statusCode).toBe(400)
    expect(findingsOf(future)).toEqual(['InvalidParameter body.purchaseDate'])
    for (const purchaseDate of ['0001-01-01', '1969-12-31']) {
      const early = await post(`${customer}/products`, { ...draft, purchaseDate })
      expect([early.statusCode, findingsOf(early)]).toEqual([400, ['InvalidParameter body.purchaseDate']])
    }
    for (const purchaseDate of ['1970-01-01', '2026-05-06']) {
      expect((await post(`${customer}/products`, { ...draft, purchaseDate })).statusCode).toBe(200)
    }
  })

  test('returns 404 for an unknown model or a bpNo that differs from the path', async () => {
    const { post } = await openWithProducts()
    expect((await post(`${customer}/products`, { ...draft, modelCode: 'VM-NONE' })).statusCode).toBe(404)
    expect((await post(`${customer}/products`, { ...draft, bpNo: '9100000002' })).statusCode).toBe(404)
    expect((await post(`${customer}/products?bpNo=9100000002`, draft)).statusCode).toBe(404)
    expect((await post(`${customer}/products?bpNo=9100000001`, draft)).statusCode).toBe(200)
  })

  test('returns the same 404 for an unknown customer and a customer of another company', async () => {
    const { post, get } = await openWithProducts()
    const foreign = await post('/customers/9200000001/products', draft)
    expectSameRefusal(404, foreign, await post('/customers/9999999999/products', draft))
    expect((await get('/customers/9200000001/products', asToby())).json().totalCount).toBe(1)
  })
})
