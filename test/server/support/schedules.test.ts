import { expect, test } from 'vitest'
import { rejectUnusableValues } from '../../helpers/open-with-choices.ts'
import {
  createTestTicket,
  KIOSK,
  laterSlot,
  newServiceCenter,
  post,
  putAppointmentWorld,
  slot,
} from '../../helpers/documents/appointments.ts'
import { asErin, asGuest, asWeb, buildTestApp } from '../../helpers/build-test-app.ts'
import { asTess, asToby, findingsOf } from '../../helpers/documents/dealer-portal.ts'
import { newCustomer, newProductModel } from '../../helpers/records.ts'

async function build(center = newServiceCenter()) {
  const test = buildTestApp()
  await putAppointmentWorld(test.store, center)
  const ask = (query: Record<string, string> = {}, path = 'guest', headers: Record<string, string> = asGuest()) =>
    test.app.inject({ url: `/stg/us/${path}/schedule`, query: { modelCode: KIOSK, ...query }, headers })
  return { ...test, ask }
}

for (const { number, path, headers } of [
  { number: 25, path: 'guest', headers: asGuest() },
  { number: 16, path: 'dealer', headers: asErin() },
]) {
  test(`operation ${number} returns 200 with the in-home slots of 14 days, starting today`, async () => {
    const { ask } = await build()
    const reply = await ask({ zipCode: '07660' }, path, headers)
    expect(reply.statusCode).toBe(200)
    const { schedules, ...head } = reply.json()
    expect(head).toEqual({
      zipCode: '07660',
      ascCode: 'TSC001',
      ascName: 'Test Service Center',
      timeZone: 'America/New_York',
    })
    expect(schedules.map(({ date }: { date: string }) => date)).toEqual(
      Array.from({ length: 14 }, (_, i) => `2026-05-${String(6 + i).padStart(2, '0')}`),
    )
    expect(schedules[0].slots).toEqual([])
    expect(schedules[1].slots).toEqual([
      { slotId: 'TSC001-IH-20260507-AM', startTime: '08:00', endTime: '12:00', available: true, remaining: 2 },
      { slotId: 'TSC001-IH-20260507-PM', startTime: '13:00', endTime: '17:00', available: true, remaining: 10 },
    ])
  })

  test(`operation ${number} returns 404 if no service center covers the zip code and the product`, async () => {
    const { ask, store } = await build()
    await store.transaction((tx) => tx.productModels.put(newProductModel({ modelCode: 'VM-ODD', subType: 'ODD' })))
    for (const [query, reason] of [
      [{ zipCode: '99723' }, 'query.zipCode 99723 has no center that makes this visit for KIOSK'],
      [{ zipCode: '00000' }, 'query.zipCode 00000 is not in use'],
      [{ modelCode: 'VM-ODD' }, 'query.zipCode 07660 has no center that makes this visit for ODD'],
      [{ modelCode: 'VM-NONE' }, 'query.modelCode VM-NONE does not exist'],
      [{ subType: 'ODD', modelCode: 'VM-TV55' }, 'query.modelCode VM-TV55 is not of subType ODD'],
      [{ ascCode: 'TSC999' }, 'query.ascCode TSC999 is not a center that makes this visit to 07660 for KIOSK'],
    ] as const) {
      const reply = await ask(query, path, headers)
      expect([query, reply.statusCode]).toEqual([query, 404])
      expect(reply.json().error).toMatchObject({
        code: 'NotFoundError',
        message: expect.stringContaining('schedule not found'),
        details: [{ message: reason }],
      })
    }
  })

  test(`operation ${number} returns 400 with all errors if unusable-values is reject`, async () => {
    const { ask, app } = await build()
    await rejectUnusableValues(app)
    const bad = { zipCode: '7660', inWarranty: 'yes', isReschedule: '1', type: 'PIII', modelCode: '!' }
    const reply = await ask(bad, path, headers)
    expect(reply.statusCode).toBe(400)
    expect(findingsOf(reply).sort()).toEqual(
      Object.keys(bad)
        .map((name) => `InvalidParameter query.${name}`)
        .sort(),
    )
  })
}

test('operation 16 returns 401 if the identity is missing or has no profile', async () => {
  const { ask } = await build()
  expect((await ask({}, 'dealer', asGuest())).statusCode).toBe(401)
  expect((await ask({}, 'dealer', asWeb('nobody'))).statusCode).toBe(401)
})

test('operation 16 returns 403 for a profile without a dealer company', async () => {
  const { ask } = await build()
  expect((await ask({}, 'dealer', asWeb('no-dealer'))).statusCode).toBe(403)
})

test('operation 25 returns 401 for a malformed identity', async () => {
  const { ask } = await build()
  expect((await ask({}, 'guest', asWeb('ü'))).statusCode).toBe(401)
})

test('operations 16 and 25 use the nearest service center unless ascCode selects another one', async () => {
  const { ask, store } = await build()
  const farther = newServiceCenter({ ascCode: 'TSC000', lat: 40.9, lng: -74.1 })
  await store.transaction((tx) => tx.serviceCenters.put(farther))
  expect((await ask()).json().ascCode).toBe('TSC001')
  expect((await ask({ ascCode: 'TSC000' })).json().ascCode).toBe('TSC000')
})

test('the schedule of operation 25 starts with the current date at the service center', async () => {
  const { ask, clock } = await build()
  clock.set('2026-05-07T03:30:00Z')
  expect((await ask()).json().schedules[0].date).toBe('2026-05-06')
})

test('operation 25 accepts a subType that matches the model or replaces it', async () => {
  const { app, ask } = await build()
  expect((await ask({ subType: 'KIOSK' })).json().ascCode).toBe('TSC001')
  for (const subType of ['TV', 'SPACESHIP']) expect((await ask({ subType })).statusCode).toBe(404)
  const alone = (subType: string) =>
    app.inject({ url: `/stg/us/guest/schedule?subType=${subType}`, headers: asGuest() })
  expect((await alone('KIOSK')).json().ascCode).toBe('TSC001')
  expect((await alone('SPACESHIP')).statusCode).toBe(404)
})

test('operation 25 selects only service centers that support the requested type and inWarranty', async () => {
  const { ask, store } = await build()
  const inHome = { radiusMiles: 20, subTypes: ['KIOSK'], capacity: { AM: 1, PM: 1 } }
  const farther = { lat: 40.9, lng: -74.1 }
  await store.transaction(async (tx) => {
    const first = newServiceCenter({ inHome: { ...inHome, types: ['PI'], outOfWarranty: false } })
    await tx.serviceCenters.put(first)
    const second = { ...inHome, types: ['PII' as const], outOfWarranty: true }
    await tx.serviceCenters.put(newServiceCenter({ ascCode: 'TSC000', ...farther, inHome: second }))
  })
  const centerFor = async (query: Record<string, string>) => {
    const reply = await ask(query)
    return reply.statusCode === 200 ? reply.json().ascCode : reply.statusCode
  }
  expect(await centerFor({})).toBe('TSC001')
  expect(await centerFor({ type: 'PI', inWarranty: 'TRUE' })).toBe('TSC001')
  expect(await centerFor({ type: 'PII' })).toBe('TSC000')
  expect(await centerFor({ type: 'PII', inWarranty: 'false' })).toBe('TSC000')
  expect(await centerFor({ inWarranty: 'false' })).toBe(404)
  expect(await centerFor({ type: 'PII', ascCode: 'TSC001' })).toBe(404)
})

test('with isReschedule, a full slot is available to the company that booked it', async () => {
  const inHome = { radiusMiles: 20, subTypes: ['KIOSK'], capacity: { AM: 1, PM: 1 } }
  const { app, ask } = await build(newServiceCenter({ inHome }))
  const { srid } = await createTestTicket(app)
  const windowFor = async (query: Record<string, string>, headers = asTess()) => {
    const { schedules } = (await ask(query, 'dealer', headers)).json()
    return schedules[1].slots[1]
  }
  const full = { slotId: slot.timeSlot, startTime: '13:00', endTime: '17:00', available: false, remaining: 0 }
  expect(await windowFor({})).toEqual(full)
  const own = { ...full, available: true, ownRequests: [srid] }
  expect(await windowFor({ isReschedule: 'True' })).toEqual(own)
  expect(await windowFor({ isReschedule: 'true' }, asToby())).toEqual(full)
  expect((await post(app, '/reschedule', { srid, ...slot, rescheduleReasonCode: 'SAME' })).statusCode).toBe(200)
  expect((await ask({ isReschedule: 'true' })).json().schedules[1].slots[1]).toEqual(full)
  const asGuestOf25 = async (headers: Record<string, string>) =>
    (await ask({ isReschedule: 'true' }, 'guest', headers)).json().schedules[1].slots[1]
  expect(await asGuestOf25(asTess())).toEqual(own)
  for (const other of [asToby(), asWeb('no-dealer'), asGuest()]) expect(await asGuestOf25(other)).toEqual(full)
})

test('operation 9 accepts a full slot only for the tickets listed in ownRequests', async () => {
  const inHome = { radiusMiles: 20, subTypes: ['KIOSK'], capacity: { AM: 1, PM: 1 } }
  const { app, ask, store } = await build(newServiceCenter({ inHome }))
  await store.transaction((tx) => tx.customers.put(newCustomer({ bpNo: '9100000002' })))
  const { srid } = await createTestTicket(app)
  const other = await createTestTicket(app, { bpNo: '9100000002', ...laterSlot })
  const { schedules } = (await ask({ isReschedule: 'true' }, 'dealer', asTess())).json()
  const { ownRequests } = schedules[1].slots[1]
  expect(ownRequests).toEqual([srid])
  for (const each of [srid, other.srid]) {
    const reply = await post(app, '/reschedule', { srid: each, ...slot, rescheduleReasonCode: 'R' })
    expect(reply.statusCode).toBe(ownRequests.includes(each) ? 200 : 400)
  }
})

test('with isReschedule, an overbooked slot and the slot of a closed ticket are unavailable', async () => {
  const inHome = { radiusMiles: 20, subTypes: ['KIOSK'], capacity: { AM: 1, PM: 1 } }
  const { app, ask, store } = await build(newServiceCenter({ inHome }))
  const { srid } = await createTestTicket(app)
  const [booking] = await store.bookings.find({ where: { srid } })
  const window = async () => {
    const { schedules } = (await ask({ isReschedule: 'true' }, 'dealer', asTess())).json()
    return schedules[1].slots[1]
  }
  const move = { srid, ...slot, rescheduleReasonCode: 'R' }
  const odd = { ...booking!, appointmentId: 'A-ODD', srid: '9999999999', holder: 'bp:9100000009' }
  await store.transaction((tx) => tx.bookings.put(odd))
  expect(await window()).toMatchObject({ available: false, remaining: 0 })
  expect((await post(app, '/reschedule', move)).statusCode).toBe(400)
  await store.transaction((tx) => tx.bookings.delete('A-ODD'))
  expect(await window()).toMatchObject({ available: true, remaining: 0, ownRequests: [srid] })
  const ticket = (await store.tickets.get(srid))!
  await store.transaction((tx) => tx.tickets.put({ ...ticket, status: 'E0003' }))
  expect(await window()).not.toHaveProperty('ownRequests')
  expect((await post(app, '/reschedule', move)).statusCode).toBe(400)
})

test('the API description contains the default values of operations 16 and 25', async () => {
  const { app } = buildTestApp()
  const { paths } = (await app.inject('/openapi/support.json')).json()
  for (const path of ['/stg/us/dealer/schedule', '/stg/us/guest/schedule']) {
    const defaults = paths[path].get.parameters.map(
      ({ name, schema }: { name: string; schema: { default?: unknown } }) => [name, schema.default],
    )
    expect(Object.fromEntries(defaults)).toMatchObject({
      zipCode: '07660',
      modelCode: 'VM-TV55',
      inWarranty: true,
      isReschedule: false,
      type: 'PI',
    })
  }
})

test('without parameters, operation 25 returns the schedule for a television in Ridgefield Park', async () => {
  const { app } = buildTestApp()
  const reply = await app.inject({ url: '/stg/us/guest/schedule', headers: asGuest() })
  expect(reply.json()).toMatchObject({ zipCode: '07660', ascCode: 'ASC001', timeZone: 'America/New_York' })
  expect(reply.json().schedules).toHaveLength(14)
})
