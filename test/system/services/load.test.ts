import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, install, putSetting, readiness, send } from './installation.ts'
import type { PrivateServer } from './servers.ts'
import { emit, lastId, openAt, subscribe, values } from './subscriptions.ts'
import { REJECTED_WITHIN } from './servers.ts'

const ROUNDS = 5
const WRITERS = 16

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

interface Tally {
  acknowledged: number
  refused: number
}

/**
 * While clients work, kills a server and restarts it several times. The clients repeat their requests until they
 * succeed.
 */
async function killOften(server: PrivateServer, urls: readonly string[], tally: Tally): Promise<void> {
  const untilMore = (what: keyof Tally, more: number) => {
    const enough = tally[what] + more
    return expect.poll(() => tally[what]).toBeGreaterThanOrEqual(enough)
  }
  for (let round = 0; round < ROUNDS; round++) {
    await untilMore('acknowledged', 50)
    await server.kill()
    await untilMore('refused', 10)
    await server.start()
    for (const url of urls) await expect.poll(() => readiness(url)).toBe(200)
  }
}

test('no acknowledged write of 16 writers is lost when PostgreSQL is killed 5 times', async () => {
  const [a, b] = [await installation.startInstance(), await installation.startInstance()]
  const acknowledged: string[] = []
  const over = new AbortController()
  const tally: Tally = { acknowledged: 0, refused: 0 }
  let slowest = 0
  const write = async (writer: number) => {
    const { url } = writer % 2 ? a : b
    for (let i = 0; !over.signal.aborted; i++) {
      const started = performance.now()
      const { status } = await putSetting(url, `load-${writer}-${i}`, `${writer} ${i}`)
      if (status === 200) tally.acknowledged = acknowledged.push(`load-${writer}-${i}`)
      else {
        expect(status).toBeGreaterThanOrEqual(500)
        tally.refused++
        slowest = Math.max(slowest, performance.now() - started)
      }
    }
  }
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  await killOften(installation.postgres, [a.url, b.url], tally)
  over.abort()
  await writing
  expect(slowest).toBeLessThan(REJECTED_WITHIN)
  expect(acknowledged.length).toBeGreaterThan(100)
  for (const name of acknowledged) {
    const [, writer, i] = name.split('-')
    const { body } = await send('GET', `${a.url}/_control/records/settings/${name}`)
    expect(body).toEqual({ name, value: `${writer} ${i}` })
  }
})

test('each acknowledged event arrives once and in order when PostgreSQL is killed 5 times', async () => {
  const [a, b] = [await installation.startInstance(), await installation.startInstance()]
  const subscription = await subscribe(a.url)
  let reader = await openAt(b.url, subscription)
  await reader.next()
  const acknowledged: number[][] = [[], [], [], []]
  const tally: Tally = { acknowledged: 0, refused: 0 }
  const over = new AbortController()
  const publish = async (publisher: number) => {
    for (let i = 0; !over.signal.aborted; i++) {
      const value = publisher * 1_000_000 + i
      const status = await emit(publisher % 2 ? a.url : b.url, value)
      if (status === 200) acknowledged[publisher]!.push(value)
      else expect(status).toBeGreaterThanOrEqual(500)
      tally[status === 200 ? 'acknowledged' : 'refused']++
    }
  }
  const publishing = Promise.all(acknowledged.map((_, publisher) => publish(publisher)))
  await killOften(installation.postgres, [a.url, b.url], tally)
  over.abort()
  await publishing
  expect(await emit(a.url, -1)).toBe(200)
  const arrived: number[] = []
  while (arrived.at(-1) !== -1) {
    const found = (await values(reader, 1)) as number[]
    arrived.push(...found)
    // A stream ends after an outage of more than 5 seconds, so the client resumes it.
    if (found.length === 0) reader = await openAt(b.url, subscription, { 'last-event-id': lastId(reader) })
    expect(reader.text).not.toContain('gap')
  }
  expect(new Set(arrived).size).toBe(arrived.length)
  for (const [publisher, sent] of acknowledged.entries()) {
    expect(sent.length).toBeGreaterThan(ROUNDS)
    const mine = arrived.filter((value) => Math.floor(value / 1_000_000) === publisher)
    // A rejected event may still have arrived, because the connection broke while it was being published.
    expect(mine.filter((value) => sent.includes(value))).toEqual(sent)
  }
})
