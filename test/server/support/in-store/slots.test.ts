import { expect, test } from 'vitest'
import { rejectUnusableValues } from '../../../helpers/open-with-choices.ts'
import { walkInSlotId } from '../../../../src/server/domain/appointments/slots.ts'
import { buildAppointmentApp, newServiceCenter } from '../../../helpers/documents/appointments.ts'
import { asGuest } from '../../../helpers/build-test-app.ts'
import { findingsOf } from '../../../helpers/documents/dealer-portal.ts'

async function build(center = newServiceCenter()) {
  const test = await buildAppointmentApp(center)
  const ask = (query: Record<string, string | string[]> = {}) =>
    test.app.inject({
      url: '/stg/us/instore/noauth/slots',
      query: { ascType: 'WALKIN', ascCode: 'TSC001', ...query },
      headers: asGuest(),
    })
  return { ...test, ask }
}

test('operation 37 returns 200 with the slots of the two weeks starting today', async () => {
  const { ask } = await build()
  const reply = await ask()
  expect(reply.statusCode).toBe(200)
  const { schedule, ...head } = reply.json()
  expect(head).toEqual({
    ascCode: 'TSC001',
    ascType: 'WALKIN',
    timeZone: 'America/New_York',
    start: '2026-05-06',
    end: '2026-05-20',
  })
  expect(schedule).toHaveLength(15)
  expect(schedule[0].slots[0]).toEqual({ startTime: '14:00', endTime: '15:00', capacity: 3, remaining: 3 })
  expect(schedule[1].slots).toHaveLength(9)
})

test('operation 37 returns 200 with the free slots and omits days without free slots', async () => {
  const hours = [5, 6].map((dayOfWeek) => ({ dayOfWeek, open: '10:00', close: '12:00' }))
  const { ask, store } = await build(newServiceCenter({ hours, slotCapacity: 1 }))
  await store.transaction(async (tx) => {
    for (const [date, startTime] of [
      ['2026-05-08', '10:00'],
      ['2026-05-08', '11:00'],
      ['2026-05-09', '10:00'],
    ] as const) {
      const slotId = walkInSlotId('TSC001', date, startTime)
      const times = { startsAt: `${date}T15:00:00Z`, endsAt: `${date}T16:00:00Z` }
      const appointmentId = `A-${slotId}`
      await tx.bookings.put({
        appointmentId,
        srid: '9000000001',
        ascCode: 'TSC001',
        slotId,
        date,
        holder: slotId,
        ...times,
      })
    }
  })
  expect((await ask({ end: '2026-05-14' })).json().schedule).toEqual([
    { date: '2026-05-09', slots: [{ startTime: '11:00', endTime: '12:00', capacity: 1, remaining: 1 }] },
  ])
})

test('operation 37 returns 200 with an empty schedule if no slot is free', async () => {
  const { ask } = await build(newServiceCenter({ hours: [] }))
  expect((await ask()).json().schedule).toEqual([])
  const past = (await (await build()).ask({ start: '2026-04-01', end: '2026-04-30' })).json()
  expect(past).toMatchObject({ start: '2026-04-01', end: '2026-04-30', schedule: [] })
})

test('operation 37 returns 200 for the shortest and longest period, without slots on Memorial Day', async () => {
  const { ask } = await build()
  expect((await ask({ start: '2026-05-08', end: '2026-05-08' })).json().schedule).toHaveLength(1)
  expect((await ask({ start: '2026-05-08', end: '2026-06-08' })).json().schedule).toHaveLength(31)
})

test('operation 37 ignores symptoms and zipCode, and limits end to the last bookable day', async () => {
  const { ask } = await build()
  const window = { start: '2026-05-08', end: '2026-05-08' }
  const plain = (await ask(window)).json()
  const symptoms = ['IS01', 'IS02', 'IS03', 'IS04', 'IS05', 'NOPE', 'x'.repeat(100)]
  for (const more of [{ symptoms }, { zipCode: '00000' }, { zipCode: 'x', symptoms: 'NOPE' }]) {
    expect((await ask({ ...window, ...more })).json()).toEqual(plain)
  }
  const [last, later] = ['2026-07-05', '2026-07-06']
  expect((await ask({ start: '2026-05-24', end: '2027-01-22' })).json()).toMatchObject({ end: last })
  expect((await ask({ start: later, end: '2027-01-22' })).json()).toMatchObject({ end: later, schedule: [] })
})

test('operation 37 returns 400 for unknown symptoms and zip codes if unusable-values is reject', async () => {
  const { ask, app } = await build()
  await rejectUnusableValues(app)
  expect((await ask({ symptoms: ['IS01', 'IS02'], sc4uObjectId: 'x', zipCode: '07660' })).statusCode).toBe(200)
  expect((await ask({ symptoms: 'IS21', zipCode: '07660-1234' })).statusCode).toBe(200)
  const reply = await ask({ symptoms: ['IS01', 'NOPE'], zipCode: '00000' })
  expect(reply.statusCode).toBe(400)
  expect(findingsOf(reply)).toEqual(['InvalidParameter query.zipCode', 'InvalidParameter query.symptoms[1]'])
})

test('operation 37 returns 400 for a period that ends before it starts', async () => {
  const { ask } = await build()
  for (const query of [{ start: '2026-05-08', end: '2026-05-07' }, { end: '2026-05-05' }]) {
    expect([query, (await ask(query)).statusCode]).toEqual([query, 400])
  }
})

test('operation 37 returns 400 for a period longer than 31 days if unusable-values is reject', async () => {
  const { ask, app } = await build()
  await rejectUnusableValues(app)
  for (const query of [
    { start: '2026-05-08', end: '2026-06-09' },
    { start: '2026-05-08', end: '2026-05-07' },
    { end: '2026-05-05' },
    { end: '2026-06-07' },
    { start: '2026-05-08', end: '2026-05-07', ascCode: 'TSC999' },
  ]) {
    const reply = await ask(query)
    expect([query, reply.statusCode]).toEqual([query, 400])
    expect(reply.json().error.details[0].target).toBe('query.end')
  }
  expect((await ask({ start: '9999-12-30' })).json().error.details[0].target).toBe('query.start')
})

test('operation 37 returns 400 with all errors for invalid input', async () => {
  const { ask } = await build()
  const reply = await ask({ ascType: '', ascCode: '', start: '2026-02-30', end: 'tomorrow', zipCode: '1' })
  expect(reply.statusCode).toBe(400)
  expect(findingsOf(reply).sort()).toEqual([
    'InvalidParameter query.end',
    'InvalidParameter query.start',
    'MissingParameter query.ascCode',
    'MissingParameter query.ascType',
  ])
})

test('operation 37 returns 404 for an unknown service center and for a wrong ascType', async () => {
  const { ask } = await build()
  for (const query of [{ ascCode: 'TSC999' }, { ascType: 'MAILIN' }, { ascType: 'SPACE' }]) {
    expect([query, (await ask(query)).statusCode]).toEqual([query, 404])
  }
})
