import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { asGuest, listen } from '../../helpers/build-test-app.ts'
import { buildLogged, sendAndLeave, writeHead } from './logged-app.ts'

const ZIP_CODE = '/stg/us/guest/zipCode?zipCode=07660'
const LEFT = 'the client disconnected or stopped reading before the response was complete'
const PIECE = Buffer.alloc(64 * 1024, 'x')

function* produceMuch() {
  for (let i = 0; i < 400; i++) yield PIECE
}

function* breakDown() {
  yield PIECE
  throw new Error('a disk that breaks')
}

async function start() {
  const { app, lines } = buildLogged()
  app.get('/large', async () => Readable.from(produceMuch()))
  app.get('/long', async () => 'x'.repeat(32 * 1024 * 1024))
  app.get('/broken', async () => Readable.from(breakDown()))
  const address = await listen(app)
  const provoke = (respond: object) => {
    const payload = { match: { operation: 30 }, times: 1, name: 'spoiled', respond }
    return app.inject({ method: 'POST', url: '/_control/faults', payload })
  }
  const journaled = async () => (await app.inject('/_control/journal')).json().entries[0]
  return { app, lines, address, provoke, journaled, told: () => lines.filter(({ path }) => !path?.startsWith('/_')) }
}

test.each(['/large', '/long'])(
  'a response to %s that the client does not read completely is logged as aborted',
  async (path) => {
    const { app, address, told } = await start()
    const come = once(app.server, 'request')
    await sendAndLeave(address, writeHead('GET', path, {}), async () => {
      const [, reply] = (await come) as [unknown, ServerResponse]
      await expect.poll(() => reply.headersSent).toBe(true)
    })
    await expect.poll(told).toMatchObject([{ status: 200, aborted: true, reason: LEFT }])
    expect((await app.inject('/metrics')).payload).toMatch(`requests_total{operation="${path}",status="200"} 1`)
  },
)

test.each(['/large', '/long', ZIP_CODE])(
  'a response to %s is not logged as aborted if the client reads it completely',
  async (path) => {
    const { address, told } = await start()
    await (await fetch(address + path, { headers: asGuest() })).arrayBuffer()
    await (await fetch(address + path, { headers: { ...asGuest(), connection: 'close' } })).arrayBuffer()
    await expect.poll(told).toMatchObject([{ status: 200 }, { status: 200 }])
    expect(told().some(({ aborted }) => aborted)).toBe(false)
  },
)

test('a response that is cut off by an internal error is logged with the error', async () => {
  const { address, lines } = await start()
  const reply = await fetch(`${address}/broken`)
  await expect(reply.arrayBuffer()).rejects.toThrow(/terminated|fetch failed/)
  await expect.poll(() => lines.length).toBe(2)
  expect(lines[0]).toMatchObject({ level: 50, err: { message: 'a disk that breaks' } })
  expect(lines[1]).toMatchObject({ status: 200, aborted: true, reason: 'internal server error' })
})

test('the log and journal mark a slow response as aborted when its client disconnects', async () => {
  const { app, address, provoke, journaled, told } = await start()
  await provoke({ throttle: 1 })
  const begun = once(app.server, 'request')
  await sendAndLeave(address, writeHead('GET', ZIP_CODE, asGuest()), async () => {
    await begun
    await expect.poll(async () => (await journaled())?.status).toBe(200)
  })
  await expect.poll(told).toMatchObject([{ status: 200, aborted: true, reason: LEFT }])
  expect(await journaled()).toMatchObject({ status: 200, aborted: true, faults: ['spoiled'] })
})

test('a response cut off by a fault is logged as aborted by that fault', async () => {
  const { address, provoke, journaled, told } = await start()
  await provoke({ cut: 5 })
  const cut = fetch(address + ZIP_CODE, { headers: asGuest() }).then((reply) => reply.text())
  await expect(cut).rejects.toThrow(/terminated|fetch failed/)
  await expect
    .poll(told)
    .toMatchObject([{ status: 200, aborted: true, reason: 'a fault cut off the response: spoiled' }])
  expect(await journaled()).toMatchObject({ status: 200, aborted: true, faults: ['spoiled'] })
  await provoke({ throttle: 10_000 })
  await (await fetch(address + ZIP_CODE, { headers: asGuest() })).text()
  await expect.poll(() => told().length).toBe(2)
  expect([told()[1]!.aborted, (await journaled()).aborted]).toEqual([undefined, undefined])
})
