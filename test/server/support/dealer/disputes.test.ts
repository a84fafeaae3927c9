import { describe, expect, test } from 'vitest'
import { serviceRequest } from '../../../../src/contract/records/dealer/service-request.ts'
import { cancel } from '../../../helpers/documents/appointments.ts'
import { citedRules } from '../../../helpers/documents/cited-rules.ts'
import {
  asTess,
  asToby,
  expectSameRefusal,
  findingsOf,
  openDealerPortal,
} from '../../../helpers/documents/dealer-portal.ts'
import { multipartType, newImageForm } from '../../../helpers/documents/multipart.ts'
import { newCustomer, newProductModel, newRegisteredProduct, newTicket } from '../../../helpers/records.ts'

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
    const receipt = { fileName: 'receipt.pdf', uploadedAt }
    await tx.receiptFiles.put({ ...receipt, receiptFileKey: 'receipt-test', companyId: 'T100' })
    await tx.receiptFiles.put({ ...receipt, receiptFileKey: 'receipt-foreign', companyId: 'T200' })
    await tx.productModels.put(newProductModel())
  })
  return portal
}

describe('operation 15', () => {
  test('returns 200 with a new open service request without an appointment', async () => {
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
    expect(request.statusDesc).toBe('Open: dispute submitted')
    expect(request).toMatchObject({ receiptFileKey: 'receipt-test', purchaseDate: '2026-05-06' })
    expect((await get(`/tickets/${request.srid}`)).json()).toEqual(reply.json())
    expect((await get('/tickets?serviceType=DS')).json().items).toEqual([reply.json()])
  })

  test('returns IDs of ten digits that are not consecutive', async () => {
    const { app, post } = await openWithProduct()
    const one = (await post('/dispute', draft)).json()
    await cancel(app, one.srid)
    const other = (await post('/dispute', draft)).json()
    for (const id of [one.srid, one.ticketNumber, other.srid]) expect(id).toMatch(/^\d{10}$/)
    expect(Math.abs(Number(one.srid) - Number(other.srid))).toBeGreaterThan(1000)
  })

  test('ignores fields in the body that the server sets', async () => {
    const { post } = await openWithProduct()
    const forged = { srid: '1234567890', status: 'E0003', serviceType: 'IH', inWarranty: false }
    const request = (await post('/dispute', { ...draft, ...forged })).json()
    expect(request).toMatchObject({ status: 'E0001', serviceType: 'DS', inWarranty: true })
    expect(request.srid).not.toBe('1234567890')
  })

  test('returns 400 without a body, and with an error for each missing field', async () => {
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

  test.each(['2026-05-07', '1969-12-31'])('returns 400 for the purchase date %s', async (purchaseDate) => {
    const { post } = await openWithProduct()
    const reply = await post('/dispute', { ...draft, purchaseDate })
    expect(reply.statusCode).toBe(400)
    expect(findingsOf(reply)).toEqual(['InvalidParameter body.purchaseDate'])
  })

  test.each([
    ['a product that is not registered', { serial: '0TEST000000' }],
    ['a serial number registered for another model', { modelCode: 'VM-TEST2' }],
    ['an unknown receipt', { receiptFileKey: 'receipt-none' }],
    ['a receipt of another company', { receiptFileKey: 'receipt-foreign' }],
  ])('returns 404 for %s', async (_, more) => {
    const { post, get } = await openWithProduct()
    expect((await post('/dispute', { ...draft, ...more })).statusCode).toBe(404)
    expect((await get('/tickets')).json().totalCount).toBe(0)
  })

  test('returns the same 404 for a customer of another company and an unknown customer', async () => {
    const { post } = await openWithProduct()
    const foreign = await post('/dispute', { ...draft, bpNo: '9200000001' })
    expectSameRefusal(404, foreign, await post('/dispute', { ...draft, bpNo: '9999999999' }))
  })

  test('accepts the imageId only of an image uploaded for a ticket of the company', async () => {
    const { app, post, store } = await openWithProduct()
    await store.transaction(async (tx) => {
      await tx.tickets.put(newTicket())
      await tx.tickets.put(newTicket({ srid: '9420000001', ticketNumber: '9730000001', companyId: 'T200' }))
    })
    const upload = async (srid: string, headers: Record<string, string>) => {
      const reply = await app.inject({
        method: 'POST',
        url: `/stg/us/guest/serviceRequest/asset/symptomImage?srid=${srid}`,
        headers: { ...headers, 'content-type': multipartType },
        payload: newImageForm(),
      })
      return reply.json().imageId as string
    }
    const [own, foreign] = [await upload('9410000001', asTess()), await upload('9420000001', asToby())]
    expect((await post('/dispute', { ...draft, receiptFileKey: foreign })).statusCode).toBe(404)
    const reply = await post('/dispute', { ...draft, receiptFileKey: own })
    expect([reply.statusCode, reply.json().receiptFileKey]).toEqual([200, own])
  })

  test('returns 400 ConflictError while a dispute about the product is open', async () => {
    const { app, post } = await openWithProduct()
    const { srid } = (await post('/dispute', draft)).json()
    const second = await post('/dispute', draft)
    expect([second.statusCode, second.json().error.code]).toEqual([400, 'ConflictError'])
    expect(citedRules(second)).toEqual(['our choice: disputes'])
    expect((await cancel(app, srid)).json()).toMatchObject({ success: true })
    expect((await post('/dispute', draft)).statusCode).toBe(200)
  })

  test('updates the purchase date and warranty of the product when the dispute is completed', async () => {
    const { app, post, get } = await openWithProduct()
    const product = async () => (await get('/customers/9100000001/product')).json()
    const before = await product()
    const { srid } = (await post('/dispute', { ...draft, purchaseDate: '2025-01-31' })).json()
    const step = (name: string) => app.inject({ method: 'POST', url: `/_control/tickets/${srid}/${name}` })
    expect((await step('confirm')).json().statusDesc).toBe('In process: dispute under review')
    expect(await product()).toEqual(before)
    expect((await step('complete')).json()).toMatchObject({ statusDesc: 'Closed: dispute settled', inWarranty: false })
    const settled = { purchaseDate: '2025-01-31', warrantyEndDate: '2026-01-31', inWarranty: false }
    expect(await product()).toEqual({ ...before, ...settled })
    expect((await get(`/tickets/${srid}`)).json()).toMatchObject({ status: 'E0003', statusReasonCode: 'COMPLETED' })
  })

  test('does not change the product when the dispute is cancelled', async () => {
    const { app, post, get } = await openWithProduct()
    const before = (await get('/customers/9100000001/product')).json()
    const { srid } = (await post('/dispute', { ...draft, purchaseDate: '2025-01-31' })).json()
    await cancel(app, srid)
    expect((await get('/customers/9100000001/product')).json()).toEqual(before)
    expect((await get(`/tickets/${srid}`)).json().statusDesc).toBe('Closed: dispute cancelled')
  })
})
