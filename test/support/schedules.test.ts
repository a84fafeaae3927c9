import { expect, test } from 'vitest'
import { KIOSK, newServiceCenter, putAppointmentWorld } from '../helpers/appointments.ts'
import { asErin, asGuest, asWeb, buildTestApp } from '../helpers/build-test-app.ts'
import { findingsOf } from '../helpers/dealer-portal.ts'
import { newProductModel } from '../helpers/records.ts'

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
  test(`operation ${number} answers 200 with the in-home windows of 14 days from the center's date`, async () => {
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
    expect(schedules[0].timeSlots).toEqual([])
    expect(schedules[1].timeSlots).toEqual([
      { slotId: 'TSC001-IH-20260507-AM', from: '08:00', to: '12:00', available: true, remaining: 2 },
      { slotId: 'TSC001-IH-20260507-PM', from: '13:00', to: '17:00', available: true, remaining: 10 },
    ])
  })

  test(`operation ${number} answers 404 where no center covers the zip code and the product`, async () => {
    const { ask, store } = await build()
    await store.transaction((tx) => tx.productModels.put(newProductModel({ modelCode: 'VM-ODD', subType: 'ODD' })))
    for (const query of [
      { zipCode: '99723' },
      { zipCode: '00000' },
      { modelCode: 'VM-ODD' },
      { modelCode: 'VM-NONE' },
      { ascCode: 'TSC999' },
    ]) {
      const reply = await ask(query, path, headers)
      expect([query, reply.statusCode]).toEqual([query, 404])
      expect(reply.json().error).toMatchObject({
        code: 'NotFoundError',
        message: expect.stringContaining('schedule not found'),
      })
    }
  })

  test(`operation ${number} answers 400 with all findings for unusable input`, async () => {
    const { ask } = await build()
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

test('operation 16 answers 401 without an identity and to one that no profile holds', async () => {
  const { ask } = await build()
  expect((await ask({}, 'dealer', asGuest())).statusCode).toBe(401)
  expect((await ask({}, 'dealer', asWeb('nobody'))).statusCode).toBe(401)
})

test('operation 16 answers 403 to a profile without a dealer company', async () => {
  const { ask } = await build()
  expect((await ask({}, 'dealer', asWeb('no-dealer'))).statusCode).toBe(403)
})

test('operation 25 answers 401 to a malformed identity', async () => {
  const { ask } = await build()
  expect((await ask({}, 'guest', asWeb('not an id'))).statusCode).toBe(401)
})

test('the nearest center that covers answers, and ascCode narrows to one', async () => {
  const { ask, store } = await build()
  const farther = newServiceCenter({ ascCode: 'TSC000', lat: 40.9, lng: -74.1 })
  await store.transaction((tx) => tx.serviceCenters.put(farther))
  expect((await ask()).json().ascCode).toBe('TSC001')
  expect((await ask({ ascCode: 'TSC000' })).json().ascCode).toBe('TSC000')
})

test('the schedule begins at the date of the center, not of universal time', async () => {
  const { ask, clock } = await build()
  clock.set('2026-05-07T03:30:00Z')
  expect((await ask()).json().schedules[0].date).toBe('2026-05-06')
})

test('flags, type and subType are checked and change nothing else', async () => {
  const { ask } = await build()
  const plain = (await ask()).json()
  const full = { inWarranty: 'FALSE', isReschedule: 'True', type: 'PII', subType: 'KIOSK' }
  expect((await ask(full)).json()).toEqual(plain)
  const reply = await ask({ subType: 'SPACESHIP' })
  expect(reply.statusCode).toBe(400)
  expect(reply.json().error.details[0].target).toBe('query.subType')
})

test('without parameters the schedule is that of a television in Ridgefield Park', async () => {
  const { app } = buildTestApp()
  const reply = await app.inject({ url: '/stg/us/guest/schedule', headers: asGuest() })
  expect(reply.json()).toMatchObject({ zipCode: '07660', ascCode: 'ASC001', timeZone: 'America/New_York' })
  expect(reply.json().schedules).toHaveLength(14)
})
