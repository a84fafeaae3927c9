import { expect, test } from 'vitest'
import { buildTestApp } from '../../helpers/build-test-app.ts'

const ZIP = '/stg/us/guest/zipCode?zipCode=07660'

test('a world created without a name gets a generated name that was not used before', async () => {
  const { app } = buildTestApp()
  const make = async () =>
    (await app.inject({ method: 'POST', url: '/_control/worlds', payload: { seed: 'a' } })).json().name as string
  const names = [await make(), await make()]
  await app.inject({ method: 'POST', url: '/_control/reset' })
  names.push(await make())
  expect(new Set(names).size).toBe(3)
  for (const name of names) expect((await app.inject(`/w/${name}/_control/status`)).json().world).toBe(name)
})

test('GET /_control/status lists callers, dealers, tokens, partners and sellers for a first call', async () => {
  const { app, store } = buildTestApp()
  const read = async () => (await app.inject('/_control/status')).json().try
  const found = await read()
  const calls = [
    ['/stg/us/instore/requests', { 'request-source': 'vendor.com', 'vendorus-profId': found.callers[0] }],
    ['/stg/us/dealer/stores', { 'request-source': 'vendor.com', 'vendorus-profId': found.dealers[0] }],
    ['/subscriptions/none', { authorization: `Bearer ${found.tokens[0]}` }],
    ['/wallet/cmn/v2.0/device/available?serviceType=WALLET&modelName=VM-S100', { partnerCode: found.partners[0] }],
  ] as const
  for (const [url, headers] of calls) {
    expect([401, 403]).not.toContain((await app.inject({ url, headers })).statusCode)
  }
  expect(found.sellers).toEqual(['123456789012'])
  await store.transaction((tx) => tx.sellers.delete('123456789012'))
  expect((await read()).sellers).toEqual([])
})

test('a token request with unknown scopes or locations returns 400 unless force is true', async () => {
  const { app } = buildTestApp()
  const payload = { user: 'a', scopes: ['r:devices', 'r:devices:*'], locations: ['y'], expiresIn: 60 }
  const refused = await app.inject({ method: 'POST', url: '/_control/tokens', payload })
  expect([refused.statusCode, refused.json().error.details]).toEqual([
    400,
    [
      expect.objectContaining({ target: 'body.scopes[0]', message: expect.stringContaining('r:devices:*') }),
      expect.objectContaining({ target: 'body.locations[0]', message: expect.stringContaining('11111111-') }),
    ],
  ])
  const forced = await app.inject({ method: 'POST', url: '/_control/tokens', payload: { ...payload, force: true } })
  expect(forced.statusCode).toBe(200)
})

test.each([30, '30', 'getGuestZipCode', 'GET /stg/us/guest/zipCode'])(
  'operation 30 can be written as %j in faults, journal filters and verifications',
  async (operation) => {
    const { app } = buildTestApp()
    const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })
    const fault = await post('/_control/faults', { match: { operation }, respond: { status: 503 }, times: 1 })
    expect([fault.statusCode, fault.json().match.operation]).toEqual([200, 30])
    expect((await app.inject({ url: ZIP, headers: { 'request-source': 'vendor.com' } })).statusCode).toBe(503)
    const listed = await app.inject(`/_control/journal?operation=${encodeURIComponent(operation)}`)
    expect(listed.json().totalCount).toBe(1)
    const verified = await post('/_control/journal/verify', { match: { operation }, count: 1 })
    expect(verified.json().matched).toBe(true)
  },
)

test.each([
  [42, 'Use 1 to 41, createServiceToken'],
  ['wallet', 'or a method and a path'],
  ['getGuestZipcode', 'the nearest is getGuestZipCode'],
  ['GET /stg/us/guest/nothing', 'is not an operation'],
  ['GET /guest/zipCode', 'the nearest is GET /stg/us/guest/zipCode'],
  ['zipCode', 'the nearest is GET /stg/us/guest/zipCode'],
])('a fault for the operation %j is rejected with a message: %s', async (operation, message) => {
  const { app } = buildTestApp()
  const payload = { match: { operation }, respond: { status: 503 } }
  const reply = await app.inject({ method: 'POST', url: '/_control/faults', payload })
  expect([reply.statusCode, reply.json().error.message]).toEqual([400, expect.stringContaining(message)])
})
