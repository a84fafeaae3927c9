import { expect, test } from 'vitest'
import * as composition from './composition.ts'

const { addressOf, container, docker, emit, emitAll, holderOf, inspect, lastId, onlyAt, open } = composition
const { send, startAll, subscribe, upTo, values } = composition

test('a stream resumes without lost or duplicate events when its instance is killed', async () => {
  const subscription = await subscribe()
  const first = await open(subscription)
  await emitAll(upTo(0, 20))
  expect(await values(first, 20)).toEqual(upTo(0, 20))
  const holder = await holderOf(first)
  await docker('kill', container('server', holder))
  expect(await first.ended).toBe('cut')

  const times: number[] = []
  for (const number of upTo(20, 40)) {
    const sent = performance.now()
    await emit(number)
    times.push(performance.now() - sent)
  }
  const second = await open(subscription, lastId(first))
  expect(await holderOf(second)).toBe(3 - holder)
  await emit(40)
  expect(await values(second, 21)).toEqual(upTo(20, 41))
  expect(second.text).not.toContain('gap')
  console.log(`with one instance killed a call takes at most ${Math.max(...times).toFixed(0)} ms`)
  await startAll()
})

test('an instance that exits is restarted', async () => {
  const { StartedAt: before } = await inspect<{ StartedAt: string }>(container('server'), '.State')
  await docker('exec', container('server'), 'node', '-e', 'process.kill(1, "SIGTERM")')
  const state = () => inspect<{ StartedAt: string; Health: { Status: string } }>(container('server'), '.State')
  await expect.poll(async () => (await state()).StartedAt, { timeout: 20_000 }).not.toBe(before)
  await expect.poll(async () => (await state()).Health.Status, { timeout: 20_000 }).toBe('healthy')
  await expect
    .poll(async () => (await send('GET', '/health/ready', undefined, onlyAt(1))).status, { timeout: 20_000 })
    .toBe(200)
})

test('the proxy retries a GET when its instance is killed, but never a POST', async () => {
  const frozen = await addressOf(2)
  await docker('pause', container('server', 2))
  const names = upTo(0, 24).map((number) => `taken-${number}`)
  const posts = names.map((name) => send('POST', '/_control/worlds', { name }))
  const gets = upTo(0, 24).map(() => send('GET', '/_control/status'))
  // Half of the requests wait for the instance that does not respond, until it is killed.
  await expect.poll(() => countConnections(), { timeout: 20_000 }).toBeGreaterThan(4)
  await docker('kill', container('server', 2))

  const answers = await Promise.all(posts)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 502]))
  for (const [i, { status, headers }] of answers.entries()) {
    if (status === 502) expect(headers['x-instance']).toBe(frozen)
    expect((await send('GET', `/_control/worlds/${names[i]}`)).status).toBe(status === 200 ? 200 : 404)
    await send('DELETE', `/_control/worlds/${names[i]}`)
  }
  const read = await Promise.all(gets)
  expect(new Set(read.map(({ status }) => status))).toEqual(new Set([200]))
  expect(read.some(({ headers }) => String(headers['x-instance']).startsWith(`${frozen}, `))).toBe(true)
  await startAll()
})

async function countConnections(): Promise<number> {
  const table = await docker('exec', container('proxy'), 'cat', '/proc/net/tcp')
  return table.split('\n').filter((line) => /^ *\d+: \w+:\w+ \w+:1F90 01/.test(line)).length
}
