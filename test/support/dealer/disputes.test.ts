import { describe, expect, test } from 'vitest'
import { serviceRequest } from '../../../src/schemas/dealer/service-request.ts'
import { expectSameRefusal, findingsOf, openDealerPortal } from '../../helpers/dealer-portal.ts'
import { newCustomer, newRegisteredProduct } from '../../helpers/records.ts'

const draft = {
  serial: '0test123456',
  modelCode: 'VM-TEST1',
  bpNo: '9100000001',
  receiptFileKey: 'receipt-test',
  purchaseDate: '2026-05-06',
}

async function openWithProduct() {
  const portal = await openDealerPortal()
  await portal.store.transaction(async (tx) => {
    await tx.customers.put(newCustomer())
    await tx.customers.put(newCustomer({ bpNo: '9200000001', companyId: 'T200' }))
    await tx.registeredProducts.put(newRegisteredProduct())
    const foreign = { productId: 'P-TEST-2', bpNo: '9200000001', companyId: 'T200' }
    await tx.registeredProducts.put(newRegisteredProduct(foreign))
    const uploadedAt = '2026-05-01T12:00:00Z'
    await tx.receiptFiles.put({ receiptFileKey: 'receipt-test', fileName: 'receipt.pdf', uploadedAt })
  })
  return portal
}

describe('operation 15', () => {
  test('answers 200 with an open service request of its own, without an appointment', async () => {
    const { post, get } = await openWithProduct()
    const reply = await post('/dispute', draft)
    expect(reply.statusCode).toBe(200)
    const request = serviceRequest.parse(reply.json())
    expect(request).toMatchObject({
      serviceType: 'DS',
      status: 'E0001',
      bpNo: '9100000001',
      companyId: 'T100',
      modelCode: 'VM-TEST1',
      serialNumber: '0TEST123456',
      inWarranty: true,
      customer: { lastName: 'Doe' },
    })
    expect(request).not.toHaveProperty('appointment')
    expect((await get(`/tickets/${request.srid}`)).json()).toEqual(reply.json())
    expect((await get('/tickets?serviceType=DS')).json().items).toEqual([reply.json()])
  })

  test('answers 200 with ids of ten digits that do not follow each other', async () => {
    const { post } = await openWithProduct()
    const [one, other] = [await post('/dispute', draft), await post('/dispute', draft)].map((reply) => reply.json())
    for (const id of [one.srid, one.ticketNumber, other.srid]) expect(id).toMatch(/^\d{10}$/)
    expect(Math.abs(Number(one.srid) - Number(other.srid))).toBeGreaterThan(1000)
  })

  test('never takes what the server owns from the body', async () => {
    const { post } = await openWithProduct()
    const forged = { srid: '1234567890', status: 'E0003', serviceType: 'IH', inWarranty: false }
    const request = (await post('/dispute', { ...draft, ...forged })).json()
    expect(request).toMatchObject({ status: 'E0001', serviceType: 'DS', inWarranty: true })
    expect(request.srid).not.toBe('1234567890')
  })

  test('answers 400 without a body, and with a finding for each absent field', async () => {
    const { post } = await openWithProduct()
    expect(findingsOf(await post('/dispute'))).toEqual(['MissingParameter body'])
    const reply = await post('/dispute', {})
    expect(reply.statusCode).toBe(400)
    expect(findingsOf(reply).sort()).toEqual(
      Object.keys(draft)
        .map((name) => `MissingParameter body.${name}`)
        .sort(),
    )
  })

  test('answers 400 to a purchase date in the future', async () => {
    const { post } = await openWithProduct()
    const reply = await post('/dispute', { ...draft, purchaseDate: '2026-05-07' })
    expect(reply.statusCode).toBe(400)
    expect(findingsOf(reply)).toEqual(['InvalidParameter body.purchaseDate'])
  })

  test.each([
    ['a product that is not registered', { serial: '0TEST000000' }],
    ['a serial number of another model', { modelCode: 'VM-TEST2' }],
    ['a receipt that we do not have', { receiptFileKey: 'receipt-none' }],
  ])('answers 404 to %s', async (_, more) => {
    const { post, get } = await openWithProduct()
    expect((await post('/dispute', { ...draft, ...more })).statusCode).toBe(404)
    expect((await get('/tickets')).json().totalCount).toBe(0)
  })

  test('answers 404 alike to a foreign customer and an unknown one', async () => {
    const { post } = await openWithProduct()
    const foreign = await post('/dispute', { ...draft, bpNo: '9200000001' })
    expectSameRefusal(404, foreign, await post('/dispute', { ...draft, bpNo: '9999999999' }))
  })
})
