import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIGHT } from '../../helpers/documents/events.ts'
import { type Installation, install, putSetting, send } from './installation.ts'
import { emit, lastId, openAt, subscribe, values } from './subscriptions.ts'

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

async function query(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(installation.postgres.url)
  await client.connect()
  try {
    return (await client.query(text)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

test('a client that switches instances receives each event once and in order', async () => {
  const [a, b] = [await installation.startInstance(), await installation.startInstance()]
  const subscription = await subscribe(a.url)
  let reader = await openAt(a.url, subscription)
  await reader.next()
  const emitting = (async () => {
    for (let i = 0; i < 120; i++) expect(await emit(i % 2 ? a.url : b.url, i)).toBe(200)
  })()
  const seen: unknown[] = []
  for (let hop = 1; seen.length < 120; hop++) {
    seen.push(...(await values(reader, 7 < 120 - seen.length ? 7 : 120 - seen.length)))
    if (seen.length === 120) break
    const after = lastId(reader)
    // Drops all later events, as if the connection had broken.
    const shown = reader.blocks.filter(({ event }) => event === 'DEVICE_EVENT').length
    seen.push(...(await values(reader, Math.max(0, shown - 7))))
    const next = await openAt(hop % 2 ? b.url : a.url, subscription, { 'last-event-id': after })
    expect(next.status).toBe(200)
    reader.cut()
    reader = next
  }
  await emitting
  expect(seen).toEqual(Array.from({ length: 120 }, (_, i) => i))
})

test('none of 1,000 streams that are resumed under load receives a gap', async () => {
  const [a, b] = [await installation.startInstance(), await installation.startInstance()]
  const over = new AbortController()
  const publish = async (url: string) => {
    for (let i = 0; !over.signal.aborted; i++) expect(await emit(url, i)).toBe(200)
  }
  const publishing = Promise.all([a, b].map(({ url }) => publish(url)))
  const resume = async () => {
    const subscription = await subscribe(a.url)
    let reader = await openAt(a.url, subscription)
    await values(reader, 1)
    for (let hop = 0; hop < 100; hop++) {
      const next = await openAt(hop % 2 ? a.url : b.url, subscription, { 'last-event-id': lastId(reader) })
      reader.cut()
      reader = next
      expect(await values(reader, 1)).toHaveLength(1)
      expect(reader.text).not.toContain('gap')
    }
    reader.cut()
  }
  await Promise.all(Array.from({ length: 10 }, resume))
  over.abort()
  await publishing
})

test('requests to a world return only 200 or 404 while it is reset', async () => {
  const [a, b] = [await installation.startInstance(), await installation.startInstance()]
  await send('POST', `${a.url}/_control/worlds`, { name: 'fresh' })
  const world = `${b.url}/w/fresh`
  const reader = await openAt(world, await subscribe(world))
  await reader.next()
  const state = { isOver: false }
  const found = new Set<number>()
  const looking = (async () => {
    while (!state.isOver) found.add((await send('GET', `${world}/_control/records/devices/${LIGHT}`)).status)
  })()
  const written = new Set<number>()
  const writing = Array.from({ length: 8 }, async (_, i) => {
    for (let k = 0; !state.isOver; k++) written.add((await putSetting(world, `s${i}-${k}`)).status)
  })
  for (let i = 0; i < 5; i++) {
    await pause(100)
    expect((await send('POST', `${a.url}/w/fresh/_control/reset`)).status).toBe(204)
  }
  await reader.ended
  await pause(100)
  state.isOver = true
  await Promise.all([looking, ...writing])
  for (const statuses of [found, written])
    expect([...statuses].filter((each) => ![200, 404].includes(each))).toEqual([])
  const [kept, same] = await Promise.all([
    send('GET', `${a.url}/w/fresh/_control/records/settings?limit=1`),
    send('GET', `${world}/_control/records/settings?limit=1`),
  ])
  expect(kept.body['totalCount']).toBe(same.body['totalCount'])

  expect((await send('DELETE', `${a.url}/_control/worlds/fresh`)).status).toBe(204)
  for (const table of ['settings_records', 'devices_records', 'clocks', 'images']) {
    const left = `SELECT 1 FROM vendor_cloud.${table} WHERE house NOT IN (SELECT house FROM vendor_cloud.worlds)`
    expect(await query(left)).toEqual([])
  }
  expect(await query(`SELECT 1 FROM vendor_cloud.about WHERE name LIKE 'leaving%'`)).toEqual([])
})

test('a recreated world does not expire at the expiry time of the old world', async () => {
  const [a, b] = [await installation.startInstance(), await installation.startInstance()]
  await send('POST', `${a.url}/_control/worlds`, { name: 'brief', expiresIn: 6 })
  b.process.kill('SIGSTOP')
  expect((await send('DELETE', `${a.url}/_control/worlds/brief`)).status).toBe(204)
  expect((await send('POST', `${a.url}/_control/worlds`, { name: 'brief' })).status).toBe(200)
  b.process.kill('SIGCONT')
  await putSetting(`${a.url}/w/brief`, 'mark')
  await pause(8000)
  for (const { url } of [a, b]) {
    expect((await send('GET', `${url}/w/brief/_control/records/settings/mark`)).status).toBe(200)
  }
})

test('parallel creations of worlds on two instances do not wait for each other', async () => {
  const [a, b] = [await installation.startInstance(), await installation.startInstance()]
  const make = async (i: number) => {
    const { url } = i % 2 ? a : b
    expect((await send('POST', `${url}/_control/worlds`, { name: `many-${i}` })).status).toBe(200)
    const there = await send('GET', `${(i % 2 ? b : a).url}/w/many-${i}/_control/clock`)
    expect(there.status).toBe(200)
  }
  const started = performance.now()
  for (let i = 0; i < 8; i++) await make(i)
  const inOrder = performance.now() - started
  await Promise.all(Array.from({ length: 8 }, (_, i) => make(8 + i)))
  // A call that gets no notification waits for one second.
  expect(performance.now() - started - inOrder).toBeLessThan(3 * inOrder + 1000)
})
