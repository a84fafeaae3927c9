import { describe, expect, test } from 'vitest'
import { asGuest, buildTestApp } from '../../helpers/build-test-app.ts'
import { findingsOf } from '../../helpers/documents/dealer-portal.ts'
import { newProductModel } from '../../helpers/records.ts'

const IMEI = '490154203237518'
const SOLD = '0RB1SOLD111'
const STOCK = '0RB1STOCK22'
const OWNED = '0RB1OWNED333AAA'
const model = newProductModel({
  modelCode: 'VM-RB1',
  modelName: 'Robot',
  subType: 'ROBOT',
  category: 'ROBOTS',
  warrantyMonths: 12,
})
const valid = {
  valid: true,
  known: true,
  prdIdType: 'SERIAL',
  modelCode: 'VM-RB1',
  modelName: 'Robot',
  category: 'ROBOTS',
}

async function build() {
  const test = buildTestApp()
  await test.store.transaction(async (tx) => {
    await tx.productModels.put(model)
    await tx.productUnits.put({ prdId: SOLD, modelCode: 'VM-RB1', soldAt: '2025-05-07' })
    await tx.productUnits.put({ prdId: STOCK, modelCode: 'VM-RB1' })
    await tx.registeredProducts.put({
      productId: 'P-TEST',
      userId: 'profile:web-bob',
      modelCode: 'VM-RB1',
      serialNumber: OWNED,
      serviceType: 'IH',
      subType: 'ROBOT',
      category: 'ROBOTS',
      warrantyEndDate: '2026-05-05',
      registeredAt: '2025-05-06T10:00:00.000Z',
    })
  })
  const validate = (query: Record<string, string>) =>
    test.app.inject({ method: 'POST', url: '/stg/us/guest/product/validation', query, headers: asGuest() })
  const lookUp = (deviceId: string) =>
    test.app.inject({ url: `/stg/us/guest/product/validation/${deviceId}`, headers: asGuest() })
  return { ...test, validate, lookUp }
}

describe.each([
  [23, async (id: string) => (await build()).validate({ prdId: id, modelCode: 'VM-RB1' })],
  [24, async (id: string) => (await build()).lookUp(id)],
] as const)('operation %i', (_, ask) => {
  test('returns 200 with a warranty from the sale date that includes its last day', async () => {
    const reply = await ask(SOLD)
    expect(reply.statusCode).toBe(200)
    const warranty = { inWarranty: true, warrantyEndDate: '2026-05-07', alreadyRegistered: false }
    expect(reply.json()).toEqual({ ...valid, prdId: SOLD, ...warranty })
  })

  test('returns 200 with the warranty of the registration for a registered device', async () => {
    const warranty = { inWarranty: false, warrantyEndDate: '2026-05-05', alreadyRegistered: true }
    expect((await ask(OWNED)).json()).toEqual({ ...valid, prdId: OWNED, ...warranty })
  })

  test('returns 200 without a warranty for an unsold device, in any letter case', async () => {
    const warranty = { inWarranty: false, warrantyEndDate: null, alreadyRegistered: false }
    expect((await ask(STOCK.toLowerCase())).json()).toEqual({ ...valid, prdId: STOCK, ...warranty })
  })
})

const malformed = ['490154203237519', '1234567890', '0RB1-STOCK2', '0RB1STOCK2222', 'ıııııııııııı', '0'.repeat(500)]

describe('operation 23', () => {
  test('returns 200 with valid: true for an IMEI of the model', async () => {
    const { validate } = await build()
    const more = { prof_id: 'web-alice', originPrdId: IMEI, email: 'pat@example.com' }
    const reply = await validate({ prdId: IMEI, modelCode: 'vm-s100', ...more })
    expect(reply.json()).toMatchObject({
      valid: true,
      prdIdType: 'IMEI',
      modelCode: 'VM-S100',
      alreadyRegistered: false,
    })
  })

  test('returns 200 with known: false for an unknown device of a known model', async () => {
    const { validate } = await build()
    const warranty = { inWarranty: false, warrantyEndDate: null, alreadyRegistered: false }
    const reply = await validate({ prdId: 'ZZZZZZZZZZ9', modelCode: 'VM-RB1' })
    expect(reply.json()).toEqual({ ...valid, known: false, prdId: 'ZZZZZZZZZZ9', ...warranty })
  })

  test.each([
    ['an unknown model', { prdId: STOCK, modelCode: 'VM-NONE' }, { modelCode: 'VM-NONE', modelName: '' }],
    ['a device of another model', { prdId: IMEI, modelCode: 'VM-RB1' }, { modelCode: 'VM-RB1', modelName: 'Robot' }],
  ])('returns 200 with valid: false for %s', async (_, query, named) => {
    const { validate } = await build()
    const reply = await validate(query)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({ valid: false, inWarranty: false, warrantyEndDate: null, ...named })
  })

  test.each(malformed)('returns 200 with valid: false and the reason for the prdId %j', async (prdId) => {
    const { validate } = await build()
    const reply = await validate({ prdId, modelCode: 'VM-RB1' })
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({ valid: false, reason: expect.stringMatching(/^prdId must be an IMEI/) })
  })

  test.each([
    ['malformed', '?', /^originPrdId must be an IMEI/],
    ['the ID of a device of another model', IMEI, /^originPrdId belongs to model VM-S100$/],
    [
      "the ID of another customer's device",
      '0RB1ALICE44',
      /^originPrdId and prdId are registered to different customers$/,
    ],
  ])('returns 200 with valid: false when originPrdId is %s', async (_, originPrdId, reason) => {
    const { validate, store } = await build()
    const [product] = await store.registeredProducts.find({ where: { serialNumber: OWNED } })
    const other = { ...product!, productId: 'P-OTHER', userId: 'profile:web-alice', serialNumber: '0RB1ALICE44' }
    await store.transaction((tx) => tx.registeredProducts.put(other))
    const reply = await validate({ prdId: OWNED, modelCode: 'VM-RB1', originPrdId })
    expect(reply.json()).toMatchObject({ valid: false, reason: expect.stringMatching(reason) })
    const same = await validate({ prdId: OWNED, modelCode: 'VM-RB1', originPrdId: STOCK })
    expect(same.json()).toMatchObject({ valid: true })
  })

  test('returns 400 for an invalid prof_id and an invalid email', async () => {
    const { validate } = await build()
    const reply = await validate({ prdId: STOCK, modelCode: 'VM-RB1', prof_id: 'ü', email: 'pat' })
    expect(reply.statusCode).toBe(400)
    expect(findingsOf(reply)).toEqual(['InvalidParameter query.prof_id', 'InvalidParameter query.email'])
  })

  test('returns 400 with two errors if prdId and modelCode are missing', async () => {
    const { validate } = await build()
    const reply = await validate({ modelCode: '' })
    expect(reply.statusCode).toBe(400)
    expect(findingsOf(reply)).toEqual(['MissingParameter query.prdId', 'MissingParameter query.modelCode'])
  })
})

describe('operation 24', () => {
  test('returns 200 for the IMEI of the fixtures', async () => {
    const { lookUp } = await build()
    expect((await lookUp(`${IMEI}?email=pat@example.com`)).json()).toMatchObject({
      valid: true,
      prdIdType: 'IMEI',
      modelCode: 'VM-S100',
    })
  })

  test.each(['nope', '', 'a@b@c', '%00'])('returns 200 for any email, even %j', async (email) => {
    const { lookUp } = await build()
    const reply = await lookUp(`${IMEI}?email=${email}`)
    expect([reply.statusCode, reply.json().valid]).toEqual([200, true])
  })

  test('returns 200 with alreadyRegistered: true for an IMEI that was registered as a serial number', async () => {
    const { lookUp, store } = await build()
    const [product] = await store.registeredProducts.find({ where: { serialNumber: OWNED } })
    await store.transaction((tx) => tx.registeredProducts.put({ ...product!, serialNumber: IMEI }))
    expect((await lookUp(IMEI)).json()).toMatchObject({ alreadyRegistered: true, warrantyEndDate: '2026-05-05' })
  })

  test.each(['', 'ZZZZZZZZZZ9', ...malformed.map(encodeURIComponent)])(
    'returns 404 "device not found" for %j',
    async (id) => {
      const { lookUp } = await build()
      const reply = await lookUp(id)
      expect(reply.statusCode).toBe(404)
      expect(reply.json().error).toMatchObject({
        code: 'NotFoundError',
        message: expect.stringContaining('device not found'),
      })
    },
  )
})
