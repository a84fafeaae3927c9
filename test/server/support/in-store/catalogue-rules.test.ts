import { expect, test } from 'vitest'
import { completeTicket, confirmTicket } from '../../../../src/server/control/tickets.ts'
import { KIOSK, newServiceCenter } from '../../../helpers/documents/appointments.ts'
import { asGuest } from '../../../helpers/build-test-app.ts'
import { findingsOf } from '../../../helpers/documents/dealer-portal.ts'
import { asNed, buildInStoreApp } from '../../../helpers/documents/in-store.ts'
import { newProductModel } from '../../../helpers/records.ts'

const build = () => buildInStoreApp(newServiceCenter({ subTypes: ['KIOSK', 'PHONE', 'TV'] }))

test('operation 33 returns 400 with an error for each value that contradicts the catalog', async () => {
  const { create, store } = await build()
  await store.transaction((tx) =>
    tx.productModels.put(newProductModel({ modelCode: 'VM-KIOSKB', subType: 'KIOSK', bespoke: true })),
  )
  for (const [more, findings] of [
    [{ modelCode: 'VM-WM90' }, ['InvalidParameter body.modelCode']],
    [{ modelCode: '', taxonomyCode: 'TVA-TEL-LRG' }, ['InvalidParameter body.taxonomyCode']],
    [{ modelCode: '', taxonomyCode: 'CMP-NTB-STD' }, ['InvalidParameter body.taxonomyCode']],
    [{ modelCode: 'VM-S100', taxonomyCode: 'TVA-TEL-SML' }, ['InvalidParameter body.taxonomyCode']],
    [{ symptoms: ['TS1', 'TS2'] }, ['InvalidParameter body.symptoms[1]']],
    [{ imei: '490154203237518' }, ['InvalidParameter body.imei']],
    [{ serialNumber: '490154203237518' }, ['InvalidParameter body.serialNumber']],
    [{ appointmentDate: '2026-07-06' }, ['InvalidParameter body.appointmentDate']],
    [
      { modelCode: 'VM-WM90', symptoms: ['TS2'], appointmentDate: '2027-01-01' },
      ['InvalidParameter body.modelCode', 'InvalidParameter body.symptoms[0]', 'InvalidParameter body.appointmentDate'],
    ],
  ] as const) {
    const reply = await create(more)
    expect([more, reply.statusCode, findingsOf(reply)]).toEqual([more, 400, findings])
    for (const { source } of reply.json().error.details) expect(source).toMatch(/^our choice: /)
  }
  expect((await create({ modelCode: 'VM-KIOSKB', symptoms: ['TS2'] })).statusCode).toBe(200)
})

test('operation 33 accepts only models that can be brought to a store', async () => {
  const { create, app } = await build()
  const wrong = ['InvalidParameter body.modelCode']
  const mismatch = ['InvalidParameter body.taxonomyCode']
  for (const [more, findings] of [
    [{ modelCode: 'VM-TV85' }, wrong],
    [{ modelCode: 'VM-DMY-TV-LRG' }, wrong],
    [{ modelCode: 'VM-TV85', taxonomyCode: 'TVA-TEL-SML' }, [...wrong, ...mismatch]],
    [{ modelCode: 'VM-TV43', taxonomyCode: 'TVA-TEL-LRG' }, [...mismatch, ...mismatch]],
    [{ modelCode: 'VM-S100', taxonomyCode: 'MOB-PHN-FLD' }, mismatch],
  ] as const) {
    const reply = await create(more)
    expect([more, reply.statusCode, findingsOf(reply)]).toEqual([more, 400, findings])
  }
  const good = { modelCode: 'VM-S100', taxonomyCode: 'MOB-PHN-BAR' }
  expect((await create(good)).json()).toMatchObject(good)
  const { children } = (
    await app.inject({ url: '/stg/us/instore/noauth/taxonomy?upperTaxonomyCode=TVA-TEL', headers: asNed() })
  ).json()
  const [small, large] = children
  expect([small.walkInFlag, large.walkInFlag]).toEqual(['Y', 'N'])
  expect(small.dummyModelCode).not.toBe(large.dummyModelCode)
  expect(small).not.toHaveProperty('modelCodes')
})

test('operation 33 compares model and taxonomy code by subtype if taxonomies have no model codes', async () => {
  const { create, store } = await build()
  await store.transaction(async (tx) => {
    for (const { modelCodes: _, ...entry } of await tx.taxonomies.find()) await tx.taxonomies.put(entry)
  })
  const refused = await create({ modelCode: 'VM-S100', taxonomyCode: 'TVA-TEL-SML' })
  expect(findingsOf(refused)).toEqual(['InvalidParameter body.taxonomyCode'])
  expect((await create({ modelCode: 'VM-S100', taxonomyCode: 'MOB-PHN-FLD' })).statusCode).toBe(200)
})

test('operation 33 rejects the same invalid serial numbers and IMEIs as operation 24', async () => {
  const { create, app } = await build()
  for (const [field, given] of [
    ['serialNumber', 'ABC'],
    ['serialNumber', '490154203237519'],
    ['imei', '490154203237519'],
    ['imei', '0TV55XYZ12A'],
  ] as const) {
    const reply = await create({ modelCode: 'VM-S100', [field]: given })
    expect([given, findingsOf(reply)]).toEqual([given, [`InvalidParameter body.${field}`]])
  }
  expect((await create({ serialNumber: '0kiosk12345' })).json().serialNumber).toBe('0KIOSK12345')
  const unknown = await app.inject({ url: '/stg/us/guest/product/validation/490154203237519', headers: asGuest() })
  expect(unknown.statusCode).toBe(404)
})

test('operation 33 returns 200 for the 60th day at the center of operation 36', async () => {
  const { create, app } = await build()
  const url = '/stg/us/instore/noauth/nearest?zipCode=07660&modelCode=VM-S100'
  expect((await app.inject({ url, headers: asGuest() })).statusCode).toBe(200)
  const reply = await create({ modelCode: 'VM-S100', taxonomyCode: 'MOB-PHN-BAR', appointmentDate: '2026-07-05' })
  expect(reply.statusCode).toBe(200)
})

test('operation 34 returns images, history, updatedAt and the reason why the request was closed', async () => {
  const test = await build()
  const tell = async (srid: string) => (await test.detail({ srid })).json()
  const cancelled = await test.createdSrid()
  expect(await tell(cancelled)).toMatchObject({ images: [], history: [{ to: 'E0001' }], updatedAt: expect.any(String) })
  await test.cancel({ srid: cancelled })
  const completed = await test.createdSrid()
  await confirmTicket(test, completed)
  await completeTicket(test, completed)
  const [one, other] = [await tell(cancelled), await tell(completed)]
  expect(one).toMatchObject({ status: 'E0003', statusReasonCode: 'CANCELLED', statusDesc: 'Closed: cancelled' })
  expect(other).toMatchObject({ status: 'E0003', statusReasonCode: 'COMPLETED', statusDesc: 'Closed: completed' })
  expect(other.statusReasonDesc).toBe('The service was completed')
  expect(other.history.map(({ to }: { to: string }) => to)).toEqual(['E0001', 'E0002', 'E0003'])
})

test('an in-store request with a missed appointment is still open and can be cancelled', async () => {
  const { createdSrid, detail, create, cancel, clock } = await build()
  const srid = await createdSrid()
  clock.set('2026-05-08T14:00:00.000Z')
  const told = (await detail({ srid })).json()
  expect(told).toMatchObject({ status: 'E0001', statusDesc: 'Open: appointment missed' })
  expect(told.appointment.status).toBe('MISSED')
  const second = await create({ appointmentDate: '2026-05-11' })
  expect([second.statusCode, second.json().error.code]).toEqual([400, 'ConflictError'])
  expect((await cancel({ srid })).json()).toEqual({ cancelled: true })
  const cancelled = { status: 'E0003', statusReasonCode: 'CANCELLED', appointment: { status: 'MISSED' } }
  expect((await detail({ srid })).json()).toMatchObject(cancelled)
  expect((await create({ appointmentDate: '2026-05-11' })).statusCode).toBe(200)
})

test('operation 35 cancels after a missed appointment but not during the appointment', async () => {
  const { app, createdSrid, store, clock } = await build()
  const srid = await createdSrid()
  const [mail] = await store.outbox.find({ where: { srid } })
  const key = new URL(mail!.links[0]!.href).searchParams.get('key')!
  const press = () =>
    app.inject({
      method: 'DELETE',
      url: '/stg/us/instore/noauth/emailcancel',
      query: { srid, key },
      headers: asGuest(),
    })
  clock.set('2026-05-08T13:30:00.000Z')
  expect((await press()).json()).toEqual({ cancelled: false })
  clock.set('2026-05-08T14:00:00.000Z')
  expect((await press()).json()).toEqual({ cancelled: true })
})

test('operations 33, 36 and 37 use the first five digits of a 5+4 zip code', async () => {
  const { app, create } = await build()
  for (const path of [
    'instore/noauth/nearest?zipCode=07660-1234',
    'instore/noauth/slots?ascType=WALKIN&ascCode=TSC001&zipCode=07660-1234',
  ]) {
    const reply = await app.inject({ url: `/stg/us/${path}`, headers: asGuest() })
    expect([path, reply.statusCode]).toEqual([path, 200])
  }
  expect((await create({ zipCode: '07660-1234' })).json().zipCode).toBe('07660-1234')
})

test('operation 33 treats blank names as missing and stores other names as sent', async () => {
  const { create } = await build()
  const reply = await create({ firstName: '   ', lastName: '\t' })
  expect(findingsOf(reply)).toEqual(['MissingParameter body.firstName', 'MissingParameter body.lastName'])
  expect((await create({ firstName: ' Ned ' })).json().firstName).toBe(' Ned ')
})

test('operation 38 returns the bespoke symptoms for a bespoke model', async () => {
  const { app } = await build()
  const ids = async (query: string) => {
    const reply = await app.inject({ url: `/stg/us/instore/noauth/symptoms?${query}`, headers: asNed() })
    return reply.json().symptoms.map(({ symptomId }: { symptomId: string }) => symptomId)
  }
  expect(await ids('modelCode=vm-bs10')).toEqual(await ids('bespoke=Y'))
  expect(await ids(`modelCode=${KIOSK}`)).toEqual(await ids(''))
  expect(await ids('modelCode=NOPE')).toEqual(await ids(''))
})

test('in operation 38, the parameter bespoke takes precedence over the model, whatever its value', async () => {
  const { app } = await build()
  const ids = async (query: string) => {
    const reply = await app.inject({ url: `/stg/us/instore/noauth/symptoms?${query}`, headers: asNed() })
    return reply.json().symptoms.map(({ symptomId }: { symptomId: string }) => symptomId)
  }
  const [ordinary, bespoke] = [await ids(''), await ids('modelCode=VM-BS10')]
  expect(ordinary).not.toEqual(bespoke)
  for (const query of ['bespoke=', 'bespoke=N', 'bespoke=%20']) {
    expect([query, await ids(`${query}&modelCode=VM-BS10`)]).toEqual([query, ordinary])
  }
  expect(await ids('bespoke=Y&modelCode=VM-S100')).toEqual(bespoke)
  expect(await ids('bespoke=Y')).toEqual(bespoke)
})

test.each(['ASC001', 'ASC002', 'ASC003'])(
  'operation 33 accepts a bespoke product with bespoke symptoms at %s',
  async (ascCode) => {
    const { create, app, store } = await build()
    const { zipCode } = (await store.serviceCenters.get(ascCode))!
    const url = `/stg/us/instore/noauth/nearest?zipCode=${zipCode}&modelCode=VM-BS10`
    expect((await app.inject({ url, headers: asGuest() })).json()).toMatchObject({ ascCode })
    const { symptoms } = (
      await app.inject({ url: '/stg/us/instore/noauth/symptoms?bespoke=Y', headers: asGuest() })
    ).json()
    const symptomIds = symptoms.map(({ symptomId }: { symptomId: string }) => symptomId)
    const wanted = { ascCode, modelCode: 'VM-BS10', symptoms: symptomIds.slice(0, 5), startTime: '11:00' }
    expect((await create(wanted)).json()).toMatchObject({ status: 'E0001', modelCode: 'VM-BS10' })
  },
)
