import { expect, test } from 'vitest'
import { asGuest, buildTestApp, listen } from '../../../helpers/build-test-app.ts'
import { startProcess } from '../../../helpers/server-process.ts'

test('a server that is about to leave says so to balancers, answers whoever comes, and keeps no connection', async () => {
  const { app } = buildTestApp()
  const url = await listen(app)
  const ask = async (path: string) => {
    const reply = await fetch(url + path, { headers: asGuest() })
    return [reply.status, reply.headers.get('connection'), await reply.text()]
  }
  const zipCode = '/stg/us/guest/zipCode?zipCode=07660'
  expect((await ask('/health/ready')).slice(0, 2)).toEqual([200, 'keep-alive'])
  app.departure.announce()
  const leaving = '{"status":"unavailable","reason":"the server is shutting down"}'
  expect(await ask('/health/ready')).toEqual([503, 'close', leaving])
  expect((await ask('/health/live')).slice(0, 2)).toEqual([200, 'close'])
  expect((await ask(zipCode)).slice(0, 2)).toEqual([200, 'close'])
  expect(app.departure.isAnnounced).toBe(true)
})

test('SHUTDOWN_DELAY is how long it goes on behind SIGTERM: then its port closes, and it ends well', async () => {
  const server = await startProcess({ SHUTDOWN_DELAY: '1' })
  const start = performance.now()
  const stopped = server.stop('SIGTERM')
  const isLeaving = async () => (await fetch(`${server.url}/health/ready`)).status === 503
  while (!(await isLeaving()));
  const headers = { ...asGuest(), 'content-type': 'application/json' }
  const body = JSON.stringify({ rating: 5, comment: 'fine' })
  const sent = await fetch(`${server.url}/stg/us/guest/customerFeedback`, { method: 'POST', headers, body })
  expect([sent.status, sent.headers.get('connection')]).toEqual([200, 'close'])
  expect(await stopped).toBe(0)
  expect(performance.now() - start).toBeGreaterThanOrEqual(1000)
  await expect(fetch(`${server.url}/health/live`)).rejects.toThrow('fetch failed')
})
