import { expect, test } from 'vitest'
import { buildAppointmentApp, cancel, createTestTicket } from '../../../helpers/documents/appointments.ts'
import { callsOf } from '../../../helpers/documents/dealer-portal.ts'

const CONTROL = '/_control'

/** Reads each page twice, because the second response is built from cached text. */
async function open() {
  const test = await buildAppointmentApp()
  const { app } = test
  const { srid } = await createTestTicket(app)
  const { get } = callsOf(app)
  const readPage = async (query = '') => (await get(`/tickets?bpNoList=9100000001${query}`)).body
  const list = async (query?: string) => {
    const text = await readPage(query)
    expect(await readPage(query)).toBe(text)
    return JSON.parse(text)
  }
  const look = async () => (await get(`/tickets/${srid}`)).json()
  return { ...test, get, srid, list, look }
}

test('a page of tickets that was read before shows later changes of a ticket', async () => {
  const { app, srid, store, list, look } = await open()
  expect(await list()).toEqual({ items: [await look()], totalCount: 1, offset: 0, limit: 20, hasMore: false })
  expect((await cancel(app, srid)).statusCode).toBe(200)
  const { items } = await list()
  expect(items).toMatchObject([{ status: 'E0003', statusReasonCode: 'CANCELLED' }])
  expect(items).toEqual([await look()])

  await store.transaction(async (tx) => {
    await tx.tickets.put({ ...(await tx.tickets.get(srid))!, problemDescription: 'No "picture"' })
  })
  expect((await list()).items).toMatchObject([{ problemDescription: 'No "picture"' }])
  await store.transaction((tx) => tx.tickets.delete(srid))
  expect(await list()).toEqual({ items: [], totalCount: 0, offset: 0, limit: 20, hasMore: false })
})

test('a ticket page that was read before reflects status changes when the clock moves', async () => {
  const { clock, list, look } = await open()
  const before = await list()
  for (const [now, shown] of [
    ['2026-05-07T21:00:00Z', { status: 'E0001', appointment: { status: 'MISSED' } }],
    ['2026-05-08T21:00:00Z', { status: 'E0003', statusReasonCode: 'NO_SHOW' }],
  ] as const) {
    clock.set(now)
    const { items } = await list()
    expect(items).toMatchObject([shown])
    expect(items).toEqual([await look()])
  }
  clock.set('2026-05-06T12:00:00Z')
  expect(await list()).toEqual(before)
})

test('a page of tickets that was read before follows a later change of page-size', async () => {
  const { app, list } = await open()
  await createTestTicket(app, { bpNo: '9100000001', timeSlot: 'TSC001-IH-20260507-AM' })
  const both = await list()
  expect(both.items).toHaveLength(2)
  const put = (choices: object) =>
    app.inject({ method: 'PUT', url: `${CONTROL}/profile`, payload: { profile: 'pages', choices } })
  expect((await put({ 'page-size': 1 })).statusCode).toBe(200)
  expect(await list()).toEqual({ ...both, items: [both.items[0]], limit: 1, hasMore: true })
  await app.inject({ method: 'DELETE', url: `${CONTROL}/profile` })
  expect(await list()).toEqual(both)
})

test('variation changes a ticket page that was read before, but only while it is active', async () => {
  const { app, get, list } = await open()
  const before = await list()
  const payload = { seed: 'x', kinds: ['json-extra'] }
  expect((await app.inject({ method: 'PUT', url: `${CONTROL}/variation`, payload })).statusCode).toBe(200)
  const varied = (await get('/tickets?bpNoList=9100000001')).json()
  expect(varied).not.toEqual(before)
  await app.inject({ method: 'DELETE', url: `${CONTROL}/variation` })
  expect(await list()).toEqual(before)
})

test('a store page has only the selected fields, even after a full page is read', async () => {
  const { get } = await open()
  const read = async (query: string) => (await get(`/stores${query}`)).json().items
  const all = await read('')
  expect(all.length).toBeGreaterThan(0)
  const ids = all.map(({ storeId }: { storeId: string }) => ({ storeId }))
  expect(await read('?fields=storeId')).toEqual(ids)
  expect(await read('')).toEqual(all)
  expect(await read('?fields=storeId')).toEqual(ids)
})
