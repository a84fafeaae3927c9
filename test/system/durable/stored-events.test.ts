import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startVendorCloud } from '../../../src/index.ts'
import { asBearer, ALL, LIGHT } from '../../helpers/documents/events.ts'
import { type ServerProcess, startProcess } from '../../helpers/server-process.ts'
import { openStream, type StreamReader, valueIn } from '../../helpers/documents/stream-reader.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const newFolder = () => join(makeTemporaryFolder(), 'data')
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

async function send(method: string, url: string, body?: unknown, headers: Record<string, string> = {}) {
  const text = body === undefined ? {} : { body: JSON.stringify(body) }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const reply = await fetch(url, { method, headers: { ...type, ...headers }, ...text })
  return { status: reply.status, text: await reply.text() }
}

/** Starts a server and returns its clients. Without a folder, the worlds are in memory. */
async function start(DATA_DIR?: string) {
  const cloud = await startVendorCloud({ port: 0, settings: { ...(DATA_DIR && { DATA_DIR }), LOG_LEVEL: 'silent' } })
  onTestFinished(() => cloud.stop())
  return { ...clientsOf(cloud.url), stop: () => cloud.stop() }
}

function clientsOf(url: string) {
  return {
    url,
    control: (method: string, path: string, body?: unknown) => send(method, `${url}${path}`, body),
    async subscribe(): Promise<string> {
      const { text } = await send('POST', `${url}/subscriptions`, { subscriptionFilters: ALL }, asBearer('token-home'))
      return new URL((JSON.parse(text) as { registrationUrl: string }).registrationUrl).pathname
    },
    /** Opens the stream of a subscription in this world. The request contains the token of the subscription's owner. */
    open: (path: string, lastId?: string, world = '') =>
      openStream(`${url}${world}${path}`, { ...asBearer('token-home'), ...(lastId && { 'last-event-id': lastId }) }),
    async emit(value: unknown, world = ''): Promise<number> {
      const event = { capability: 'switchLevel', attribute: 'level', value, force: true }
      return (await send('POST', `${url}${world}/_control/devices/${LIGHT}/events`, event)).status
    },
  }
}

/**
 * Returns the events of a stream, up to and including this value. A control event is returned as its name, and a device
 * event as its value.
 */
async function readUntil(reader: StreamReader, value: unknown): Promise<unknown[]> {
  const told: unknown[] = []
  while (told.at(-1) !== value) {
    const block = await reader.next()
    if (!block) break
    told.push(block.event === 'CONTROL_EVENT' ? block.data : valueIn(block))
  }
  return told
}

const lastId = (reader: StreamReader) => reader.blocks.findLast(({ id }) => id !== undefined)!.id!

test('a client that reconnects after a restart receives all missed events exactly once in order', async () => {
  const folder = newFolder()
  const before = await start(folder)
  const path = await before.subscribe()
  const reader = await before.open(path)
  await before.emit(1)
  expect(await readUntil(reader, 1)).toEqual(['welcome', 1])
  reader.cut()
  const id = lastId(reader)
  for (const value of numbers(2, 40)) expect(await before.emit(value)).toBe(200)
  await before.stop()

  const after = await start(folder)
  const resumed = await after.open(path, id)
  await after.emit(41)
  expect(await readUntil(resumed, 41)).toEqual(['welcome', ...numbers(2, 41)])
  const last = lastId(resumed)
  await after.stop()

  const third = await start(folder)
  const again = await third.open(path, last)
  await third.emit(42)
  expect(await readUntil(again, 42)).toEqual(['welcome', 42])
  const late = await third.open(path, id.replace(/^1-/, '99-'))
  expect((await late.next())?.data).toBe('welcome')
  expect((await late.next())?.data).toBe('gap')
})

test('a restart without new events causes no gap, even if there never was one', async () => {
  const folder = newFolder()
  let [path, id] = ['', undefined as string | undefined]
  for (const round of numbers(1, 3)) {
    const server = await start(folder)
    path ||= await server.subscribe()
    const reader = await server.open(path, id)
    expect((await reader.next())?.data).toBe('welcome')
    id = lastId(reader)
    if (round === 3) {
      await server.emit('first')
      expect(await readUntil(reader, 'first')).toEqual(['first'])
    }
    await server.stop()
    expect(reader.text).not.toContain('data: gap')
  }
})

test('a client that missed too many events receives a gap and the last thousand events', async () => {
  const folder = newFolder()
  const before = await start(folder)
  const path = await before.subscribe()
  const reader = await before.open(path)
  await reader.next()
  reader.cut()
  for (let from = 1; from <= 1010; from += 101)
    await Promise.all(numbers(from, from + 100).map((each) => before.emit(each)))
  await before.stop()
  const after = await start(folder)
  const resumed = await after.open(path, lastId(reader))
  await after.emit('next')
  const [welcome, gap, ...values] = await readUntil(resumed, 'next')
  expect([welcome, gap]).toEqual(['welcome', 'gap'])
  expect(values).toHaveLength(1001)
  expect(new Set(values).size).toBe(1001)
})

/**
 * Resets, restores and forks a world. Returns what a resumed stream receives after each of these, and the number of
 * stored events.
 */
async function replaceWorlds(folder?: string): Promise<unknown[]> {
  let server = await start(folder)
  const restart = async () => {
    if (!folder) return
    await server.stop()
    server = await start(folder)
  }
  const told: unknown[] = []
  const resume = async (path: string, id: string, world = '') => {
    const reader = await server.open(path, id, world)
    await server.emit('end', world)
    told.push(await readUntil(reader, 'end'))
    reader.cut()
    return lastId(reader)
  }
  await server.control('POST', '/_control/worlds', { name: 'other' })
  const path = await server.subscribe()
  const reader = await server.open(path)
  await server.emit(1)
  await readUntil(reader, 1)
  reader.cut()
  const id = lastId(reader)
  await server.emit(2)

  await server.control('POST', '/_control/worlds', { name: 'fork', from: 'default' })
  await server.emit('in the fork', '/w/fork')
  await restart()
  await resume(path, id, '/w/fork')
  const { text } = await server.control('GET', '/_control/snapshot')
  await server.emit(3)
  await restart()
  await server.control('PUT', '/_control/snapshot', text)
  await restart()
  const restored = await resume(path, id)
  await restart()
  await resume(path, restored)
  await server.control('POST', '/_control/reset')
  await restart()
  const fresh = await server.subscribe()
  await resume(fresh, restored)
  await server.control('DELETE', '/_control/worlds/fork')
  await server.control('POST', '/_control/worlds', { name: 'fork', from: 'default' })
  await restart()
  await resume(fresh, restored, '/w/fork')
  await server.stop()
  return told
}

test('resumed streams send the same events on disk as in memory after worlds are replaced', async () => {
  const folder = newFolder()
  const inMemory = await replaceWorlds()
  expect(inMemory[2]).toEqual(['welcome', 'end'])
  expect(await replaceWorlds(folder)).toEqual(inMemory)
})

test('events acknowledged before kill -9 are in the history after the restart', async () => {
  const DATA_DIR = newFolder()
  let server: ServerProcess = await startProcess({ DATA_DIR })
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  const before = clientsOf(server.url)
  const path = await before.subscribe()
  const reader = await before.open(path)
  await reader.next()
  reader.cut()
  const acknowledged: string[] = []
  let enough = () => {}
  const reached = new Promise<void>((resolve) => (enough = resolve))
  const emitters = numbers(1, 16).map(async (emitter) => {
    for (let i = 0; ; i++) {
      const status = await before.emit(`${emitter}-${i}`).catch(() => undefined)
      if (status === undefined) return
      if (status === 200) acknowledged.push(`${emitter}-${i}`)
      if (acknowledged.length === 200) enough()
    }
  })
  await reached
  await server.stop('SIGKILL')
  await Promise.all(emitters)

  server = await startProcess({ DATA_DIR })
  const after = clientsOf(server.url)
  const resumed = await after.open(path, lastId(reader))
  await after.emit('end')
  const [welcome, ...values] = await readUntil(resumed, 'end')
  expect(welcome).toBe('welcome')
  expect(acknowledged.filter((value) => !values.includes(value))).toEqual([])
  expect(new Set(values).size).toBe(values.length)
  for (const emitter of numbers(1, 16)) {
    const own = values.map(String).filter((value) => value.startsWith(`${emitter}-`))
    expect(own).toEqual(own.map((_, i) => `${emitter}-${i}`))
  }
})
