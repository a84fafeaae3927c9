import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { supportOperations } from '../../../../src/contract/documents/support/operations.ts'
import type { Coverage, CoverageCall, CoverageMiss } from '../../../../src/contract/records/control/coverage.ts'
import { asGuest, asWeb, buildTestApp, listen, type TestApp } from '../../../helpers/build-test-app.ts'

async function read({ app }: Pick<TestApp, 'app'>, world = 'default'): Promise<Coverage> {
  const reply = await app.inject({ url: '/_control/coverage', headers: { 'x-world': world } })
  expect(reply.statusCode).toBe(200)
  return reply.json()
}

const missesOf = (found: Coverage): CoverageMiss[] => found.parts.flatMap(({ missing }) => missing)
const seenOf = (found: Coverage) => found.parts.flatMap(({ seen }) => seen)

test('6 coverage counts what was asked and answered; a reset starts over, an emptied journal does not', async () => {
  const { app } = buildTestApp()
  const fresh = await read({ app })
  expect(fresh).toMatchObject({ met: 0, percent: 0 })
  expect(fresh.total).toBe(missesOf(fresh).length)

  await app.inject({ url: '/stg/us/guest/zipCode?zipCode=07660', headers: asGuest() })
  await app.inject({ url: '/nowhere', headers: asWeb('web-alice') })
  await app.inject({ url: '/_control/status' })
  await app.inject({ method: 'DELETE', url: '/_control/journal' })
  const after = await read({ app })
  expect(seenOf(after)).toEqual([
    'operation 30: 200',
    'operation 30: query.zipCode',
    'header.request-source = vendor.com',
    'header.request-source',
  ])
  expect(after).toMatchObject({ met: 4, total: fresh.total })
  expect(after.percent).toBe(Math.floor(4000 / fresh.total) / 10)

  await app.inject({ method: 'POST', url: '/_control/reset' })
  expect(await read({ app })).toEqual(fresh)
})

test('8 coverage keeps nothing of what was sent but what there is to meet', async () => {
  const { app, worlds } = buildTestApp()
  const ask = (url: string, payload?: object) =>
    app.inject({ method: payload ? 'POST' : 'GET', url, headers: asGuest(), ...(payload && { payload }) })
  for (let i = 0; i < 20; i++) {
    await ask(`/stg/us/guest/zipCode?zipCode=0766${i}&further${i}=${i}`)
    await ask('/stg/us/guest/customerFeedback', { rating: 5, comment: `comment ${i}`, [`further${i}`]: i })
  }
  await app.inject({ method: 'DELETE', url: '/_control/journal' })
  const found = await read({ app })
  expect([...worlds.find('default')!.coverage.what].sort()).toEqual(seenOf(found).sort())
  expect(seenOf(found)).toContain('operation 22: body.comment')
})

test('6 each miss comes with the request that meets it, and every operation can be met whole', async () => {
  const { app, worlds } = buildTestApp()
  const url = await listen(app)
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const send = async (world: string, { method, path, headers, body }: CoverageCall) => {
    const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const sent = { host: 'localhost', ...headers, 'x-world': world }
    if (!path.includes('/activate')) return app.inject({ method, url: path, headers: sent, payload } as InjectOptions)
    const reply = await fetch(url + path, { headers: sent, signal: leaving.signal })
    return reply.body?.getReader().read()
  }
  const misses = missesOf(await read({ app }))
  for (const [i, { before = [], example }] of misses.entries()) {
    await app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: `w${i}`, from: 'default' } })
    for (const call of [...before, example]) await send(`w${i}`, call)
  }
  leaving.abort()
  const left = new Map(misses.map(({ what, needs }, i) => [what, { world: `w${i}`, needs }]))
  // What streams did is known when they have ended.
  await vi.waitFor(async () => {
    for (const [what, { world }] of left) {
      await app.inject({ method: 'DELETE', url: '/_control/journal', headers: { 'x-world': world } })
      if (worlds.find(world)!.coverage.what.has(what)) left.delete(what)
    }
    expect([...left].map(([what, { needs }]) => `${what} needs ${needs}`)).toEqual([
      'operation 35: 200 needs srid and key, from the link in the e-mail of operation 33 (GET /_control/outbox)',
    ])
  }, 20_000)
})

test('5 no refusal that a request can meet by itself is told by a fault', async () => {
  const { app } = buildTestApp()
  const byFault = missesOf(await read({ app }))
    .filter(({ before = [] }) => before.some(({ path }) => path === '/_control/faults'))
    .map(({ what }) => what)
  const operations = (numbers: readonly number[], status: number) =>
    numbers.map((each) => `operation ${each}: ${status}`)
  const rows = Object.values(supportOperations)
  const anonymous = rows.filter(({ scope }) => scope === 'anonymous').map(({ operation }) => operation)
  const forAnybody = rows.filter(({ scope }) => scope !== 'dealers').map(({ operation }) => operation)
  expect(byFault.filter((what) => !/ (500|503|-1)$/.test(what)).sort()).toEqual(
    [
      // Nothing of these can be absent: lists, texts that anybody may send, and a request that is 204 when unknown.
      ...operations([1, 3, 4, 7, 17, 19, 22, 23, 34, 38, 40], 404),
      ...operations(anonymous, 401),
      ...operations(forAnybody, 403),
      // Scopes are asked for when filters are set; nobody opens 1,000 streams for an example.
      'getSubscription: 403',
      'deleteSubscription: 403',
      'stream: 429',
    ].sort(),
  )
})

test('6 every place of the documents that a refusal can name is a rule of coverage', async () => {
  const { app } = buildTestApp()
  const rules = (await read({ app })).parts.find(({ name }) => name === 'rules')!
  const src = join(import.meta.dirname, '../../../../src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(contract|server\/(support|events|billing|wallet|domain|http))\/.*\.ts$/.test(file))
    // Cards and certificates are checked for people, by no operation of the vendor. The table of rules cites nothing.
    .filter((file) => !/wallet\/(card|security-factors)|contract\/rules\.ts/.test(file))
  const cited = new Set(
    files.flatMap((file) =>
      [...readFileSync(join(src, file), 'utf8').matchAll(/'(document [123], [^']+)'/g)].map(([, place]) => place!),
    ),
  )
  // Parameters that are required stand in the paths of subscriptions, which are other paths without them.
  cited.delete('document 2, section 4')
  const known = rules.missing.map(({ what }) => what)
  expect([...cited].filter((place) => !known.includes(place))).toEqual([])
})
