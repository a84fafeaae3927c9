import { citedRules } from '../../../helpers/documents/cited-rules.ts'
import { describe, expect, test } from 'vitest'
import { asApp, asGuest, asWeb } from '../../../helpers/build-test-app.ts'
import { asMia, asNed, asNell, buildInStoreApp } from '../../../helpers/documents/in-store.ts'
import { newTicket } from '../../../helpers/records.ts'

const identified = [
  [31, 'DELETE', 'cancel?srid=9410000101'],
  [32, 'GET', 'checkmobile'],
  [33, 'POST', 'create'],
  [34, 'GET', 'detail?srid=9410000101'],
] as const

describe.each(identified)('operation %i', (_, method, path) => {
  const open = async () => {
    const { app } = await buildInStoreApp()
    return (headers: Record<string, string>) =>
      app.inject({ method, url: `/stg/us/instore/${path}`, headers, ...(method === 'POST' && { payload: {} }) })
  }

  test('returns 400 without a request-source', async () => {
    const call = await open()
    expect((await call({ 'vendorus-profId': 'test-ned' })).statusCode).toBe(400)
  })

  test('returns 401 if the identity is missing, malformed or of the other client type', async () => {
    const call = await open()
    expect((await call(asGuest())).statusCode).toBe(401)
    expect((await call(asWeb('ü'))).statusCode).toBe(401)
    expect((await call({ ...asApp('test-nell'), 'request-source': 'vendor.com' })).statusCode).toBe(401)
  })
})

test('operation 32 returns 200 and whether the profile has a mobile number', async () => {
  const { app } = await buildInStoreApp()
  const check = (headers: Record<string, string>) => app.inject({ url: '/stg/us/instore/checkmobile', headers })
  const known = await check(asMia())
  expect([known.statusCode, known.json()]).toEqual([200, { exist: true }])
  expect(known.headers['content-type']).toContain('application/json')
  expect((await check(asNell())).json()).toEqual({ exist: false })
})

test('operation 32 returns 404 "user not found" for an identity without a profile', async () => {
  const { app } = await buildInStoreApp()
  const reply = await app.inject({ url: '/stg/us/instore/checkmobile', headers: asWeb('nobody') })
  expect([reply.statusCode, reply.json().error.message]).toEqual([404, expect.stringContaining('user not found')])
})

test('operation 34 returns 200 with the same body as operation 33', async () => {
  const { create, detail } = await buildInStoreApp()
  const created = (await create({ problemDescription: 'It hums' })).json()
  const reply = await detail({ srid: created.srid, sc4uObjectId: 'x' })
  expect([reply.statusCode, reply.json()]).toEqual([200, created])
})

test('operation 34 returns 204 if no in-store request matches the user and the srid', async () => {
  const { app, detail, createdSrid, store } = await buildInStoreApp()
  await store.transaction((tx) => tx.tickets.put(newTicket()))
  const srid = await createdSrid()
  for (const [asked, headers] of [
    ['1234567890', asNed()],
    ['9410000001', asNed()],
    [srid, asNell()],
    [srid, asWeb('nobody')],
    [srid, asApp('test-ned')],
  ] as const) {
    const reply = await detail({ srid: asked }, headers)
    expect([reply.statusCode, reply.body]).toEqual([204, ''])
    expect(citedRules(reply)).toEqual(['our choice: no-in-store-request'])
  }
  const { entries } = (await app.inject('/_control/journal?limit=5')).json()
  const [unknown, other] = ['no in-store request has this srid', 'the request with this srid belongs to another user']
  expect(entries.map(({ why }: { why: { message: string } }) => why.message)).toEqual([
    other,
    other,
    other,
    unknown,
    unknown,
  ])
})

test('operation 34 returns 400 for a missing or malformed srid', async () => {
  const { detail } = await buildInStoreApp()
  for (const srid of ['', '123', 'abcdefghij', '12345678901']) {
    expect((await detail({ srid })).statusCode, srid).toBe(400)
  }
})
