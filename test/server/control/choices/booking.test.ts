import { expect, test } from 'vitest'
import { bend } from '../../../helpers/bent-world.ts'
import { asTess } from '../../../helpers/documents/dealer-portal.ts'
import { newTicketBody, post, putAppointmentWorld } from '../../../helpers/documents/appointments.ts'

/** Wednesday noon in New York; the centre takes people from nine to six. */
async function bendCentre(choices: Record<string, unknown>) {
  const { app, store, get } = await bend(choices)
  await putAppointmentWorld(store)
  const listWindows = async () =>
    (await get('dealer/schedule?modelCode=VM-KIOSK1', asTess())).json<{ schedules: { date: string }[] }>().schedules
  const listSlots = async (start: string) =>
    (await get(`instore/noauth/slots?ascType=WALKIN&ascCode=TSC001&start=${start}&end=${start}`))
      .json<{ schedule: { slots: { startTime: string }[] }[] }>()
      .schedule.flatMap(({ slots }) => slots.map(({ startTime }) => startTime))
  const book = async (date: string, window: string) => {
    const timeSlot = `TSC001-IH-${date.replaceAll('-', '')}-${window}`
    return (await post(app, '', newTicketBody({ appointmentDate: date, timeSlot }))).statusCode
  }
  return { app, get, listWindows, listSlots, book }
}

test.each([
  ['PT1H', '14:00', 400],
  ['PT0S', '13:00', 200],
  ['PT59M59.5S', '13:00', 200],
  ['P1D', undefined, 400],
])(
  'lead-time %s: the first slot of today is %s, and a window an hour away is answered %i',
  async (value, ...expected) => {
    const { listSlots, book } = await bendCentre({ 'lead-time': value })
    expect([(await listSlots('2026-05-06'))[0], await book('2026-05-06', 'PM')]).toEqual(expected)
  },
)

test.each([
  [1, '2026-05-06'],
  [14, '2026-05-19'],
  [365, '2027-05-05'],
])('in-home-days %i: 16 lists so many, the last is %s, and 8 takes none after it', async (value, last) => {
  const { listWindows, book } = await bendCentre({ 'in-home-days': value, 'lead-time': 'PT0S' })
  const days = await listWindows()
  expect([days.length, days.at(-1)?.date]).toEqual([value, last])
  const after = new Date(Date.parse(last) + 86_400_000).toISOString().slice(0, 10)
  expect([await book(after, 'PM'), await book(last, 'PM')]).toEqual([400, 200])
})

test.each([
  [1, '2026-05-07', '2026-05-08'],
  [60, '2026-07-05', '2026-07-06'],
  [365, '2027-05-06', '2027-05-07'],
])('in-store-days %i: the last day with slots is %s', async (value, last, after) => {
  const { listSlots, app } = await bendCentre({ 'in-store-days': value })
  expect([(await listSlots(last)).length, (await listSlots(after)).length]).toEqual([9, 0])
  const headers = { 'request-source': 'vendor.com', 'vendorus-profId': 'web-alice' }
  const person = { firstName: 'A', lastName: 'B', email: 'a@example.com', zipCode: '07660', symptoms: ['IS01'] }
  const payload = { ascType: 'WALKIN', ascCode: 'TSC001', appointmentDate: after, startTime: '09:00', ...person }
  const url = '/stg/us/instore/create'
  const reply = await app.inject({ method: 'POST', url, headers, payload: { ...payload, modelCode: 'VM-KIOSK1' } })
  expect(reply.statusCode).toBe(400)
  expect(reply.body).toContain(`must be within ${value} days (our choice: in-store-days)`)
})

test.each([
  [{ 'lead-time': 'P11Y' }],
  [{ 'lead-time': '1h' }],
  [{ 'lead-time': 'P' }],
  [{ 'in-home-days': 0 }],
  [{ 'in-home-days': 366 }],
  [{ 'in-store-days': 1.5 }],
])('beyond its bounds a choice is refused: %j', async (choices) => {
  await expect(bend(choices)).rejects.toThrow(`body.choices.${Object.keys(choices)[0]}`)
  await expect(bend({ 'lead-time': 'P10Y', 'in-home-days': 365, 'in-store-days': 365 })).resolves.toBeDefined()
})

test.each([
  ['us', 0, 400],
  ['none', 9, 200],
])('holidays %s: Memorial Day has %i slots, and a visit then is answered %i', async (value, slots, status) => {
  const { listSlots, listWindows, book, get } = await bendCentre({ holidays: value, 'in-home-days': 30 })
  expect(await listSlots('2026-05-25')).toHaveLength(slots)
  expect((await listSlots('2026-05-26')).length).toBe(9)
  const windows = (await listWindows()) as { date: string; timeSlots?: unknown[] }[]
  expect(windows.find(({ date }) => date === '2026-05-25')?.timeSlots ?? []).toHaveLength(value === 'us' ? 0 : 2)
  expect(await book('2026-05-25', 'AM')).toBe(status)
  const [store] = (await get('dealer/stores?fields=closedDates', asTess())).json().items
  expect(store.closedDates.includes('2027-05-31')).toBe(value === 'us')
})
