import { expect, test } from 'vitest'
import { citedRules } from '../../helpers/documents/cited-rules.ts'
import { asWeb, buildTestApp } from '../../helpers/build-test-app.ts'
import { newTicketBody, post, putAppointmentWorld } from '../../helpers/documents/appointments.ts'
import { asTess } from '../../helpers/documents/dealer-portal.ts'

/** The world starts on Wednesday noon in New York. The center is open from nine to six. */
async function openCenter() {
  const { app, store } = buildTestApp()
  await putAppointmentWorld(store)
  const get = async (path: string, headers = asWeb('web-alice')) =>
    (await app.inject({ url: `/stg/us/${path}`, headers })).json()
  const listWindows = async (): Promise<{ date: string; slots: unknown[] }[]> =>
    (await get('dealer/schedule?modelCode=VM-KIOSK1', asTess())).schedules
  const listSlots = async (start: string): Promise<string[]> => {
    const { schedule } = await get(`instore/noauth/slots?ascType=WALKIN&ascCode=TSC001&start=${start}&end=${start}`)
    return schedule.flatMap(({ slots }: { slots: { startTime: string }[] }) => slots.map(({ startTime }) => startTime))
  }
  const book = async (date: string, window: string) => {
    const timeSlot = `TSC001-IH-${date.replaceAll('-', '')}-${window}`
    return (await post(app, '', newTicketBody({ appointmentDate: date, timeSlot }))).statusCode
  }
  return { app, get, listWindows, listSlots, book }
}

test('slots and windows that start within the next hour are not offered', async () => {
  const { listSlots, book } = await openCenter()
  expect([(await listSlots('2026-05-06'))[0], await book('2026-05-06', 'PM')]).toEqual(['14:00', 400])
})

test('operation 16 lists 14 days, and operation 8 rejects a window after those days', async () => {
  const { listWindows, book } = await openCenter()
  const days = await listWindows()
  expect([days.length, days.at(-1)?.date]).toEqual([14, '2026-05-19'])
  expect([await book('2026-05-20', 'PM'), await book('2026-05-19', 'PM')]).toEqual([400, 200])
})

test('operation 37 lists slots for 60 days, and operation 33 rejects a later date', async () => {
  const { app, listSlots } = await openCenter()
  expect([(await listSlots('2026-07-05')).length, (await listSlots('2026-07-06')).length]).toEqual([9, 0])
  const person = { firstName: 'A', lastName: 'B', email: 'a@example.com', zipCode: '07660', symptoms: ['IS01'] }
  const visit = { ascType: 'WALKIN', ascCode: 'TSC001', appointmentDate: '2026-07-06', startTime: '09:00' }
  const payload = { ...visit, ...person, modelCode: 'VM-KIOSK1' }
  const reply = await app.inject({
    method: 'POST',
    url: '/stg/us/instore/create',
    headers: asWeb('web-alice'),
    payload,
  })
  expect(reply.statusCode).toBe(400)
  expect(citedRules(reply)).toEqual(['our choice: in-store-days'])
})

test('service centers and stores are closed on federal holidays', async () => {
  const { get, listSlots, book } = await openCenter()
  expect(await listSlots('2026-05-25')).toHaveLength(0)
  expect(await listSlots('2026-05-26')).toHaveLength(9)
  expect(await book('2026-05-25', 'AM')).toBe(400)
  const [store] = (await get('dealer/stores?fields=closedDates', asTess())).items
  expect(store.closedDates).toContain('2027-05-31')
})
