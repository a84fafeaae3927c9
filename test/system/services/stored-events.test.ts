import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startProcess } from '../../helpers/server-process.ts'
import { CONTROL_KEY } from './installation.ts'
import { type PrivateServer, startPostgres } from './servers.ts'
import { emit, lastId, openAt, subscribe, values } from './subscriptions.ts'

let postgres: PrivateServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.remove())

test('a client resumes without a gap after kill -9 of the only instance', async () => {
  const start = async () => {
    const server = await startProcess({ DATABASE_URL: postgres.url, CONTROL_KEY })
    onTestFinished(async () => void (await server.stop('SIGKILL')))
    return server
  }
  const first = await start()
  const subscription = await subscribe(first.url)
  const reader = await openAt(first.url, subscription)
  await reader.next()
  expect(await emit(first.url, 0)).toBe(200)
  expect(await values(reader, 1)).toEqual([0])
  reader.cut()
  const missed = Array.from({ length: 20 }, (_, i) => i + 1)
  for (const value of missed) expect(await emit(first.url, value)).toBe(200)
  await first.stop('SIGKILL')

  const second = await start()
  const resumed = await openAt(second.url, subscription, { 'last-event-id': lastId(reader) })
  expect(await values(resumed, 20)).toEqual(missed)
  await second.stop('SIGTERM')
  const third = await start()
  const again = await openAt(third.url, subscription, { 'last-event-id': lastId(resumed) })
  expect(await emit(third.url, 21)).toBe(200)
  expect(await values(again, 1)).toEqual([21])
  expect(resumed.text + again.text).not.toContain('data: gap')
})
