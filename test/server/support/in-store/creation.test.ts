import { expect, test } from 'vitest'
import { confirmTicket } from '../../../../src/server/control/tickets.ts'
import { KIOSK, newServiceCenter } from '../../../helpers/documents/appointments.ts'
import { asGuest, asWeb } from '../../../helpers/build-test-app.ts'
import { START } from '../../../helpers/test-ports.ts'
import { findingsOf } from '../../../helpers/documents/dealer-portal.ts'
import { asMia, asNed, asNell, buildInStoreApp, newInStoreBody } from '../../../helpers/documents/in-store.ts'
import { newRegisteredProduct } from '../../../helpers/records.ts'

test('operation 33 returns 200 with the request, its store and its appointment', async () => {
  const { create, store } = await buildInStoreApp()
  const reply = await create({ problemDescription: 'It hums', remoteId: 'r-1', srid: '1111111111', status: 'E0003' })
  expect(reply.statusCode).toBe(200)
  const { srid, ticketNumber, appointment, ...rest } = reply.json()
  expect([srid, ticketNumber]).toEqual([expect.stringMatching(/^\d{10}$/), expect.stringMatching(/^\d{10}$/)])
  expect(appointment).toEqual({
    appointmentId: expect.stringMatching(/^A-/),
    date: '2026-05-08',
    startTime: '09:00',
    endTime: '10:00',
    timeZone: 'America/New_York',
    status: 'REQUESTED',
  })
  const { ascCode, ascType, ascName, phoneNumber, address1, city, state, zipCode, timeZone } = newServiceCenter()
  expect(rest).toEqual({
    ...newInStoreBody({ problemDescription: 'It hums', remoteId: 'r-1', mobilePhone: '+12015550143' }),
    serviceType: 'CI',
    status: 'E0001',
    statusDesc: 'Open: appointment requested',
    registered: false,
    history: [{ at: START, from: null, to: 'E0001', reason: 'CREATED' }],
    images: [],
    updatedAt: START,
    store: { ascCode, ascType, ascName, phoneNumber, address1, city, state, zipCode, timeZone },
    createdAt: START,
  })
  expect(srid).not.toBe('1111111111')
  expect(await store.bookings.count({ srid })).toBe(1)
})

test('operation 33 returns 200 for a product identified by a lowest-level taxonomy code', async () => {
  const { create } = await buildInStoreApp(newServiceCenter({ subTypes: ['PHONE'] }))
  const reply = await create({ modelCode: '', taxonomyCode: 'MOB-PHN-BAR' })
  expect(reply.json()).toMatchObject({ taxonomyCode: 'MOB-PHN-BAR', status: 'E0001' })
})

test('operation 33 returns 200 with the mobile number of the profile, not of the body', async () => {
  const { create, cancel } = await buildInStoreApp()
  for (const mobilePhone of [undefined, 'nonsense', 42, ['x']]) {
    const reply = await create({ mobilePhone }, asMia())
    expect([reply.statusCode, reply.json().mobilePhone]).toEqual([200, '+12015550111'])
    await cancel({ srid: reply.json().srid }, asMia())
  }
})

test('operation 33 returns 400 without a valid mobilePhone if the profile has no number', async () => {
  const { create } = await buildInStoreApp()
  for (const mobilePhone of [undefined, '', null]) {
    const reply = await create({ mobilePhone }, asNell())
    expect(reply.statusCode).toBe(400)
    expect(findingsOf(reply)).toEqual(['MissingParameter body.mobilePhone'])
    expect(reply.json().error.details[0].source).toBe('document 1, section 4, rule 2')
  }
  const malformed = await create({ mobilePhone: '12' })
  expect(findingsOf(malformed)).toEqual(['InvalidParameter body.mobilePhone'])
  expect(malformed.json().error.details[0].source).toBe('our choice: field-forms')
  expect(findingsOf(await create({ mobilePhone: 2015550143 }))).toEqual(['InvalidParameter body.mobilePhone'])
})

test('operation 33 returns 200 for a second request if the first is closed', async () => {
  const { create, cancel, createdSrid, store } = await buildInStoreApp(
    newServiceCenter({ subTypes: ['KIOSK', 'PHONE'] }),
  )
  await cancel({ srid: await createdSrid() })
  await createdSrid()
  await store.transaction(async (tx) => {
    const mine = { bpNo: undefined, companyId: undefined, userId: 'profile:test-ned' }
    await tx.registeredProducts.put(newRegisteredProduct({ ...mine, modelCode: KIOSK, serialNumber: '0NEDKIOSK01' }))
    const phone = { productId: 'P-2', modelCode: 'VM-S100', imei: '490154203237518' }
    await tx.registeredProducts.put(newRegisteredProduct({ ...mine, ...phone }))
  })
  const bySerial = await create({ startTime: '11:00', serialNumber: '0nedkiosk01' })
  const byImei = await create({ startTime: '12:00', modelCode: 'VM-S100', imei: '490154203237518' })
  const imeiAsSerial = await create({ startTime: '13:00', modelCode: 'VM-S100', serialNumber: '490154203237518' })
  for (const reply of [bySerial, byImei, imeiAsSerial]) expect(reply.json().registered).toBe(true)
  expect((await create({ startTime: '11:00', serialNumber: '0NEDKIOSK01' }, asNell())).json().registered).toBe(false)
})

test('operation 33 returns 400 for a second open request for an unregistered product', async () => {
  const { create, createdSrid, store } = await buildInStoreApp()
  await createdSrid()
  const reply = await create({ startTime: '13:00' })
  expect(reply.statusCode).toBe(400)
  expect(reply.json().error).toMatchObject({ code: 'ConflictError', details: [] })
  expect(await store.bookings.count({ holder: 'profile:test-ned' })).toBe(1)
  expect((await create({ startTime: '13:00' }, asNell())).statusCode).toBe(200)
})

test('operation 33 returns 200 for only one of 200 parallel requests', async () => {
  const { create, store } = await buildInStoreApp()
  const mailsBefore = await store.outbox.count()
  const replies = await Promise.all(Array.from({ length: 200 }, (_, i) => create({ startTime: `${10 + (i % 8)}:00` })))
  const statuses = replies.map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 400)).toHaveLength(199)
  expect(await store.inStoreRequests.count({ userId: 'profile:test-ned' })).toBe(1)
  expect(await store.bookings.count({ holder: 'profile:test-ned' })).toBe(1)
  expect((await store.outbox.count()) - mailsBefore).toBe(1)
})

test('operation 33 returns 400 SlotUnavailable for a slot that is full, past or unknown', async () => {
  const { create } = await buildInStoreApp(newServiceCenter({ slotCapacity: 1 }))
  await create({}, asNell())
  for (const slot of [{}, { startTime: '09:30' }, { startTime: '23:00' }, { appointmentDate: '2026-05-05' }]) {
    const reply = await create(slot)
    expect([reply.statusCode, reply.json().error.code], JSON.stringify(slot)).toEqual([400, 'SlotUnavailable'])
  }
})

test('operation 33 returns 400 with all errors for invalid input', async () => {
  const { create, app } = await buildInStoreApp()
  const reply = await create({
    ascCode: '',
    appointmentDate: 'soon',
    startTime: '9',
    symptoms: [],
    modelCode: '',
    email: 'x',
  })
  expect(reply.statusCode).toBe(400)
  expect(findingsOf(reply).map((finding) => finding.split(' ')[1])).toEqual([
    'body.ascCode',
    'body.appointmentDate',
    'body.startTime',
    'body.symptoms',
    'body.email',
    'body.modelCode',
  ])
  const known = await create({ symptoms: ['TS1', 'TS9'], zipCode: '00000', mobilePhone: '' })
  expect(findingsOf(known)).toEqual([
    'MissingParameter body.mobilePhone',
    'InvalidParameter body.symptoms[1]',
    'InvalidParameter body.zipCode',
  ])
  expect(findingsOf(await create({ taxonomyCode: 'MOB' }))).toEqual(['InvalidParameter body.taxonomyCode'])
  const empty = await app.inject({ method: 'POST', url: '/stg/us/instore/create', headers: asNed() })
  expect(empty.statusCode).toBe(400)
})

test('operation 33 returns 404 for an unknown user, service center, model or taxonomy code', async () => {
  const { create } = await buildInStoreApp()
  const reply = await create({}, asWeb('nobody'))
  expect([reply.statusCode, reply.json().error.message]).toEqual([404, expect.stringContaining('user not found')])
  for (const more of [
    { ascCode: 'TSC9' },
    { ascType: 'MAILIN' },
    { modelCode: `${KIOSK}X` },
    { taxonomyCode: 'NONE' },
  ]) {
    expect((await create(more)).statusCode, JSON.stringify(more)).toBe(404)
  }
})

test('operation 33 returns 401 without an identity', async () => {
  const { create } = await buildInStoreApp()
  expect((await create({}, asGuest())).statusCode).toBe(401)
})

test('operation 33 returns registered: true only if all identifiers belong to the same product', async () => {
  const { create, cancel, store } = await buildInStoreApp(newServiceCenter({ subTypes: ['PHONE', 'TV'] }))
  const [imei, otherImei] = ['356938035643999', '356938035643775']
  await store.transaction(async (tx) => {
    const mine = { bpNo: undefined, companyId: undefined, userId: 'profile:test-ned', modelCode: 'VM-S200' }
    await tx.productUnits.delete('490154203237518')
    await tx.registeredProducts.put(newRegisteredProduct({ ...mine, serialNumber: '0NEDPHONE01', imei }))
    await tx.registeredProducts.put(
      newRegisteredProduct({ ...mine, productId: 'P-2', serialNumber: '0NEDPHONE02', imei: otherImei }),
    )
  })
  const serialNumber = '0NEDPHONE01'
  for (const [device, field] of [
    [{ modelCode: 'VM-S100', serialNumber }, 'serialNumber'],
    [{ modelCode: 'VM-S300', imei }, 'imei'],
    [{ modelCode: 'VM-TV43', serialNumber }, 'serialNumber'],
    [{ modelCode: 'VM-S100', serialNumber: imei }, 'serialNumber'],
    [{ modelCode: '', taxonomyCode: 'MOB-PHN-FLD', serialNumber }, 'serialNumber'],
    [{ modelCode: 'VM-DMY-FOLD', serialNumber }, 'serialNumber'],
    [{ modelCode: 'VM-S200', serialNumber, imei: otherImei }, 'imei'],
  ] as const) {
    const reply = await create(device)
    expect([device, reply.statusCode, findingsOf(reply)]).toEqual([device, 400, [`InvalidParameter body.${field}`]])
  }
  for (const [device, registered] of [
    [{ modelCode: 'VM-S200', serialNumber, imei }, true],
    [{ modelCode: '', taxonomyCode: 'MOB-PHN-BAR', imei }, true],
    [{ modelCode: 'VM-DMY-PHONE', serialNumber }, true],
    [{ modelCode: 'VM-S200', serialNumber, imei: '490154203237518' }, false],
    [{ modelCode: 'VM-S200' }, false],
  ] as const) {
    const reply = await create(device)
    expect([device, reply.json().registered]).toEqual([device, registered])
    await cancel({ srid: reply.json().srid })
  }
})

test('operation 33 returns 200 again one day after the end of a confirmed request', async () => {
  const test = await buildInStoreApp()
  const srid = await test.createdSrid()
  await confirmTicket(test, srid)
  const again = async () => (await test.create({ appointmentDate: '2026-05-11' })).statusCode
  test.clock.set('2026-05-09T13:59:59.999Z')
  expect([(await test.detail({ srid })).json().status, await again()]).toEqual(['E0002', 400])
  test.clock.set('2026-05-09T14:00:00.000Z')
  expect((await test.detail({ srid })).json()).toMatchObject({ status: 'E0003', statusReasonCode: 'COMPLETED' })
  expect([(await test.cancel({ srid })).json(), await again()]).toEqual([{ cancelled: false }, 200])
})
