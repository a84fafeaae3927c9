import { describe, expect, test } from 'vitest'
import { asGuest } from '../../helpers/build-test-app.ts'
import { asToby, expectSameRefusal, findingsOf, openDealerPortal } from '../../helpers/documents/dealer-portal.ts'
import { newCustomer, newProductModel, newRegisteredProduct } from '../../helpers/records.ts'

const IMEI = '490154203237518'
const WRONG_IMEI = '490154203237519'

async function open() {
  const portal = await openDealerPortal()
  await portal.store.transaction(async (tx) => {
    await tx.customers.put(newCustomer())
    await tx.customers.put(newCustomer({ bpNo: '9100000002' }))
    await tx.customers.put(newCustomer({ bpNo: '9200000001', companyId: 'T200' }))
    await tx.productModels.put(newProductModel())
    for (const [modelCode, subType] of [
      ['VM-PHONE1', 'PHONE'],
      ['VM-TABLE1', 'TABLET'],
      ['VM-WATCH1', 'WATCH'],
      ['VM-BUDS1', 'EARBUDS'],
    ] as const) {
      await tx.productModels.put(newProductModel({ modelCode, subType }))
    }
    await tx.productUnits.put({ prdId: '0UNIT000001', modelCode: 'VM-PHONE1' })
    await tx.productUnits.delete(IMEI)
  })
  const register = (body: object, bpNo = '9100000001', headers?: Record<string, string>) =>
    portal.post(`/customers/${bpNo}/products`, { modelCode: 'VM-PHONE1', serviceType: 'SR', ...body }, headers)
  const validate = (prdId: string, modelCode: string) =>
    portal.app.inject({
      method: 'POST',
      url: '/stg/us/guest/product/validation',
      query: { prdId, modelCode },
      headers: asGuest(),
    })
  return { ...portal, register, validate }
}

describe('validation of serial numbers and IMEIs', () => {
  test.each(['X', 'HAS SPACE', 'ÜNÏCODE1234', '0TWELVE12345', WRONG_IMEI])(
    'operations 8 and 14 reject the serial number %j, and operation 23 finds it invalid',
    async (id) => {
      const { register, validate, post } = await open()
      expect(findingsOf(await register({ serialNumber: id }))).toEqual(['InvalidParameter body.serialNumber'])
      expect((await validate(id, 'VM-PHONE1')).json()).toMatchObject({ valid: false })
      expect(findingsOf(await post('/customers/ticket', { serialNumber: id }))).toContain(
        'InvalidParameter body.serialNumber',
      )
    },
  )

  test.each(['VM-PHONE1', 'VM-TABLE1', 'VM-WATCH1'])(
    'an IMEI is accepted for %s, which is a mobile device',
    async (modelCode) => {
      const { register, validate } = await open()
      expect((await validate(IMEI, modelCode)).json()).toMatchObject({ valid: true, prdIdType: 'IMEI' })
      expect((await register({ modelCode, serialNumber: IMEI })).statusCode).toBe(200)
      expect((await register({ modelCode, serialNumber: '0other00001', imei: IMEI })).statusCode).toBe(200)
    },
  )

  test.each(['VM-TEST1', 'VM-BUDS1'])(
    'operation 14 rejects an IMEI for %s, and operation 23 returns valid: false for it',
    async (modelCode) => {
      const { register, validate } = await open()
      expect((await validate(IMEI, modelCode)).json()).toMatchObject({ valid: false, prdIdType: 'IMEI' })
      const both = await register({ modelCode, serialNumber: IMEI, imei: IMEI })
      expect([both.statusCode, findingsOf(both)]).toEqual([
        400,
        ['InvalidParameter body.serialNumber', 'InvalidParameter body.imei'],
      ])
    },
  )

  test("operation 14 returns 404 for an unknown model and 400 for another model's device", async () => {
    const { register, validate } = await open()
    expect((await validate('0UNIT000001', 'VM-TEST1')).json()).toMatchObject({ valid: false })
    const reply = await register({ modelCode: 'VM-TEST1', serialNumber: '0unit000001' })
    expect([reply.statusCode, findingsOf(reply)]).toEqual([400, ['InvalidParameter body.serialNumber']])
    expect((await register({ modelCode: 'VM-NONE', serialNumber: '0UNIT000001' })).statusCode).toBe(404)
    expect((await register({ serialNumber: '0UNIT000001' })).statusCode).toBe(200)
  })

  test('operation 14 returns 400 ConflictError for a device registered to another customer', async () => {
    const { register, store } = await open()
    const product = newRegisteredProduct({ modelCode: 'VM-PHONE1', serialNumber: '0TAKEN00001', imei: IMEI })
    await store.transaction((tx) => tx.registeredProducts.put(product))
    const own = { serialNumber: '0TAKEN00001', imei: IMEI }
    expect((await register(own)).statusCode).toBe(200)
    const refusal = await register(own, '9100000002')
    expect([refusal.statusCode, refusal.json().error.code]).toEqual([400, 'ConflictError'])
    expectSameRefusal(400, refusal, await register(own, '9200000001', asToby()))
    expectSameRefusal(400, refusal, await register({ serialNumber: '0FREE000001', imei: IMEI }, '9100000002'))
    expect(await store.registeredProducts.count({ bpNo: '9100000002' })).toBe(0)
  })
})
