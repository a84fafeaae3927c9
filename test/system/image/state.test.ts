import { expect, test } from 'vitest'
import * as composition from './composition.ts'

const { addressOf, compose, container, docker, emitAll, inspect, lastId, onlyAt, open, putSetting, readSetting } =
  composition
const { send, startAll, subscribe, upTo, values } = composition

const SERVICES = ['proxy', 'server', 'postgres']

async function untilReady(): Promise<void> {
  for (const number of [1, 2]) {
    const ready = async () => (await send('GET', '/health/ready', undefined, onlyAt(number))).status
    await expect.poll(ready, { timeout: 30_000 }).toBe(200)
  }
}

test('each write is either stored or rejected while PostgreSQL restarts', async () => {
  const restarted = new AbortController()
  const acknowledged: string[] = []
  const statuses = new Set<number>()
  const write = async () => {
    for (let i = 0; !restarted.signal.aborted; i++) {
      const name = `restart-${i}`
      const { status } = await putSetting(name)
      statuses.add(status)
      if (status === 200) acknowledged.push(name)
    }
  }
  const writing = write()
  await compose('restart', 'postgres')
  await untilReady()
  restarted.abort()
  await writing
  expect(acknowledged.length).toBeGreaterThan(0)
  expect([...statuses].filter((status) => status !== 200 && status < 500)).toEqual([])
  for (const name of acknowledged) expect([name, (await readSetting(name)).status]).toEqual([name, 200])
  for (const number of [1, 2]) expect((await putSetting('after', onlyAt(number))).status).toBe(200)
})

test('after PostgreSQL was killed and restarted, a stream resumes without lost or duplicate events', async () => {
  const subscription = await subscribe()
  const first = await open(subscription)
  await emitAll(upTo(0, 5))
  expect(await values(first, 5)).toEqual(upTo(0, 5))
  await docker('kill', container('postgres'))
  await docker('start', container('postgres'))
  await untilReady()
  const second = await open(subscription, lastId(first))
  await emitAll(upTo(5, 10))
  expect(await values(second, 5)).toEqual(upTo(5, 10))
  expect(second.text).not.toContain('gap')
})

test('containers stop with exit code 0, and compose down and up preserves all data', async () => {
  const subscription = await subscribe()
  const first = await open(subscription)
  await emitAll(upTo(0, 3))
  expect(await values(first, 3)).toEqual(upTo(0, 3))
  expect((await putSetting('before-down')).status).toBe(200)
  const clock = { now: '2027-03-01T12:00:00.000Z', frozen: true }
  await send('POST', '/_control/worlds', { name: 'kept' })
  await send('PUT', '/w/kept/_control/clock', clock)

  const begun = performance.now()
  await compose('stop')
  console.log(`everything stops in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  await first.ended
  for (const name of [...SERVICES.map((service) => container(service)), container('server', 2)]) {
    expect({ name, code: await inspect(name, '.State.ExitCode') }).toEqual({ name, code: 0 })
  }
  await compose('down')
  expect(await compose('ps', '--all', '--quiet')).toBe('')
  await startAll()

  expect((await readSetting('before-down')).status).toBe(200)
  expect((await send('GET', '/w/kept/_control/clock')).body).toMatchObject(clock)
  await send('DELETE', '/_control/worlds/kept')
  await emitAll(upTo(3, 6))
  const second = await open(subscription, lastId(first))
  expect(await values(second, 3)).toEqual(upTo(3, 6))
  expect(second.text).not.toContain('gap')
})

test('the services can start in any order, for example after a reboot', async () => {
  await compose('stop')
  const instances = [container('server', 1), container('server', 2)]
  await docker('start', container('proxy'), ...instances)
  expect((await send('GET', '/health/ready')).status).toBeGreaterThanOrEqual(500)
  await docker('start', container('postgres'))
  await untilReady()
})

test('the proxy uses a third instance that --scale started until the instance is removed', async () => {
  const seen = async () => {
    const answers = await Promise.all(upTo(0, 60).map(() => send('GET', '/health/ready')))
    return new Set(answers.map(({ status, headers }) => `${status} ${String(headers['x-instance'])}`)).size
  }
  await compose('up', '--detach', '--wait', '--scale', 'server=3')
  await expect.poll(seen, { timeout: 10_000 }).toBe(3)
  const { status, headers } = await send('GET', '/_control/status', undefined, onlyAt(3))
  expect([status, headers['x-instance']]).toEqual([200, await addressOf(3)])
  await startAll()
  await expect.poll(seen, { timeout: 10_000 }).toBe(2)
})
