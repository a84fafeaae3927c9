import { expect, test } from 'vitest'
import { buildTestApp } from '../../helpers/build-test-app.ts'

const START = '2026-03-02T15:00:00.000Z'

test('worlds with the same start time have the same fixtures but do not share changes', async () => {
  const { app } = buildTestApp()
  const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) => {
    const reply = await app.inject({ method, url, ...(payload && { payload }) })
    expect(reply.statusCode, reply.payload).toBeLessThan(300)
    return reply.payload
  }
  const begin = (name: string, now = START) =>
    call('POST', '/_control/worlds', { name, now, frozen: true, seed: 'the same' })
  const read = (name: string) => call('GET', `/w/${name}/_control/snapshot`)
  const readTickets = (name: string) => call('GET', `/w/${name}/_control/records/tickets`)

  await begin('first')
  const fresh = await read('first')
  const tickets = await readTickets('first')
  const { items } = JSON.parse(tickets) as { items: { srid: string }[] }
  await call('DELETE', `/w/first/_control/records/tickets/${items[0]!.srid}`)
  await call('POST', '/w/first/_control/clock/advance', { duration: 'P1D' })
  expect(await readTickets('first')).not.toBe(tickets)

  await begin('second')
  expect(await read('second')).toBe(fresh)
  await begin('later', '2026-03-03T15:00:00.000Z')
  expect(await readTickets('later')).not.toBe(tickets)
  await begin('third')
  expect(await read('third')).toBe(fresh)
  await call('POST', '/w/first/_control/reset')
  expect(await read('first')).toBe(fresh)
  expect(await readTickets('later')).not.toBe(tickets)
})
