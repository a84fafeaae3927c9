import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { streamOperations } from '../../../../src/contract/documents/events/streams.ts'
import { subscriptionOperations } from '../../../../src/contract/documents/events/subscriptions.ts'
import { supportOperations } from '../../../../src/contract/documents/support/operations.ts'
import { walletOperations } from '../../../../src/contract/documents/wallet/availability.ts'
import { choices } from '../../../../src/contract/rules.ts'
import { findExample } from '../../../../src/contract/example.ts'
import type { OperationContract } from '../../../../src/contract/operation.ts'
import type { Coverage } from '../../../../src/contract/control/journal.ts'
import { asGuest, asWeb, buildTestApp, type TestApp } from '../../../helpers/build-test-app.ts'

async function read({ app }: Pick<TestApp, 'app'>, world = 'default'): Promise<Coverage> {
  const reply = await app.inject({ url: '/_control/coverage', headers: { 'x-world': world } })
  expect(reply.statusCode).toBe(200)
  return reply.json()
}

const missesOf = (found: Coverage): string[] => found.parts.flatMap(({ missing }) => missing)
const seenOf = (found: Coverage) => found.parts.flatMap(({ seen }) => seen)

test('coverage counts requests and responses until a reset, even if the journal is cleared', async () => {
  const { app } = buildTestApp()
  const fresh = await read({ app })
  expect(fresh).toMatchObject({ covered: 0, percent: 0 })
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
  expect(after).toMatchObject({ covered: 4, total: fresh.total })
  expect(after.percent).toBe(Math.floor(4000 / fresh.total) / 10)

  await app.inject({ method: 'POST', url: '/_control/reset' })
  expect(await read({ app })).toEqual(fresh)
})

test('coverage stores only the covered items and no other request data', async () => {
  const { app, worlds } = buildTestApp()
  const ask = (url: string, payload?: object) =>
    app.inject({ method: payload ? 'POST' : 'GET', url, headers: asGuest(), ...(payload && { payload }) })
  for (let i = 0; i < 20; i++) {
    await ask(`/stg/us/guest/zipCode?zipCode=0766${i}&further${i}=${i}`)
    await ask('/stg/us/guest/customerFeedback', { rating: 5, comment: `comment ${i}`, [`further${i}`]: i })
  }
  await app.inject({ method: 'DELETE', url: '/_control/journal' })
  const found = await read({ app })
  expect([...worlds.find('default')!.state.coverage.what].sort()).toEqual(seenOf(found).sort())
  expect(seenOf(found)).toContain('operation 22: body.comment')
})

type Contract = OperationContract & { operation: number | string; scope: string }

/**
 * Creates a body that contains the value at a path such as `body.subscriptionFilters[].type`. A response with status
 * 400 covers the value too.
 */
function putInto([step, ...rest]: readonly string[], value: string): unknown {
  if (step === undefined) return value
  return step === '[]' ? [putInto(rest, value)] : { [step]: putInto(rest, value) }
}

test('each parameter, field and enumerated value counts as covered after a request that contains it', async () => {
  const { app } = buildTestApp()
  const { stream } = streamOperations
  const contracts = new Map(
    Object.values<Contract>({ ...supportOperations, ...subscriptionOperations, ...walletOperations, stream }).map(
      (each) => [typeof each.operation === 'number' ? `operation ${each.operation}` : each.operation, each],
    ),
  )
  const { missing } = (await read({ app })).parts.find(({ name }) => name === 'parameters')!
  expect(missing.length).toBeGreaterThan(300)
  for (const what of missing) {
    const [, operation = 'operation 30', place = '', path = '', value = 'text'] =
      /^(?:(.+?): )?(?:(query|header|body)\.?)?([^ ]*)(?: = (.*))?$/.exec(what)!
    const contract = contracts.get(operation)
    const [method = '', url = ''] = contract?.route.split(' ') ?? ['POST', '/iap/ws/RTCService']
    const search = place === 'query' ? `?${path}=${encodeURIComponent(value)}` : ''
    const soap =
      '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns:w="http://ws.iap.vendor.com/"><e:Body>' +
      `<w:${operation}><${path}>text</${path}></w:${operation}></e:Body></e:Envelope>`
    const body = place === 'body' ? { payload: putInto(path.split(/\.|(?=\[\])/), value) as object } : {}
    const headers = {
      ...(contract && findExample(contract)?.headers),
      ...(place === 'header' && { [path]: value }),
    }
    await app.inject({
      method: method as 'GET',
      url: url.replace(':subscriptionId', 'eeeeeeee-0000-4000-8000-000000000001') + search,
      headers,
      ...(contract ? body : { headers: { 'content-type': 'text/xml' }, payload: soap }),
    })
  }
  expect((await read({ app })).parts.find(({ name }) => name === 'parameters')!.missing).toEqual([])
})

test('coverage lists exactly the choices that errors cite and profiles can set', async () => {
  const { app } = buildTestApp()
  const { missing } = (await read({ app })).parts.find(({ name }) => name === 'rules')!
  const src = join(import.meta.dirname, '../../../../src/server')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const text = files.map((file) => readFileSync(join(src, file), 'utf8')).join('\n')
  const cited = choices.filter(({ id, schema }) => schema && text.includes(`'our choice: ${id}'`))
  expect(missing.filter((rule) => rule.startsWith('our choice: ')).sort()).toEqual(
    cited.map(({ id }) => `our choice: ${id}`).sort(),
  )
})

test.each<[string, object, string, object?]>([
  ['zip-plus-four', {}, '/stg/us/guest/zipCode?zipCode=07660-1234'],
  ['guest-identity', { 'guest-identity': 'required' }, '/stg/us/guest/zipCode?zipCode=07660'],
  ['base-path', { 'base-path': 'without' }, '/support-api/stg/stg/us/guest/zipCode?zipCode=07660'],
  [
    'page-max',
    { 'page-max': 50, 'unusable-values': 'reject' },
    '/stg/us/dealer/tickets?limit=80',
    asWeb('dealer-erin'),
  ],
])(
  'a request that is rejected because of the choice %s covers this choice',
  async (id, choices, url, headers = asGuest()) => {
    const { app } = buildTestApp()
    const set = await app.inject({ method: 'PUT', url: '/_control/profile', payload: { profile: 'own', choices } })
    expect(set.statusCode).toBe(200)
    expect((await app.inject({ url, headers: headers as Record<string, string> })).statusCode).toBeGreaterThanOrEqual(
      400,
    )
    expect(seenOf(await read({ app }))).toContain(`our choice: ${id}`)
  },
)

test('coverage lists every document section that an error response can cite', async () => {
  const { app } = buildTestApp()
  const rules = (await read({ app })).parts.find(({ name }) => name === 'rules')!
  const src = join(import.meta.dirname, '../../../../src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(contract|server\/(support|events|billing|wallet|domain|http))\/.*\.ts$/.test(file))
    // Excludes the checks of cards and certificates, because no operation of the vendor performs them, and the table of
    // rules, because it contains no citations.
    .filter((file) => !/wallet\/(card|security-factors)|contract\/rules\.ts/.test(file))
  const cited = new Set(
    files.flatMap((file) =>
      [...readFileSync(join(src, file), 'utf8').matchAll(/'(document [123], [^']+)'/g)].map(([, place]) => place!),
    ),
  )
  // The required parameters are in the path of a subscription. A request without them has a different path, so it
  // cannot violate this rule.
  cited.delete('document 2, section 4')
  expect([...cited].filter((place) => !rules.missing.includes(place))).toEqual([])
})
