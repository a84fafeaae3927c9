import { expect, test } from 'vitest'
import { asErin, asGuest, asWeb, buildTestApp } from '../../helpers/build-test-app.ts'
import { findingsOf } from '../../helpers/documents/dealer-portal.ts'

function build() {
  const { app } = buildTestApp()
  return (query: Record<string, string | string[]>, headers: Record<string, string> = asGuest()) =>
    app.inject({ url: '/stg/us/guest/zipCode', query, headers })
}

test('operation 30 returns 200 with the city of the zip code, for any caller', async () => {
  const ask = build()
  for (const headers of [asGuest(), asWeb('web-alice'), asWeb('nobody')]) {
    const reply = await ask({ zipCode: '07660' }, headers)
    expect([reply.statusCode, reply.json()]).toMatchObject([
      200,
      { zipCode: '07660', city: 'Ridgefield Park', state: 'NJ', stateName: 'New Jersey', timeZone: 'America/New_York' },
    ])
  }
})

test('operations 16, 25, 36 and 37 use the first five digits of 5+4 zip codes', async () => {
  const { app } = buildTestApp()
  for (const path of [
    'dealer/schedule?',
    'guest/schedule?',
    'instore/noauth/nearest?',
    'instore/noauth/slots?ascType=WALKIN&ascCode=ASC001&',
  ]) {
    const ask = (zipCode: string) => app.inject({ url: `/stg/us/${path}zipCode=${zipCode}`, headers: asErin() })
    const [five, nine] = [await ask('07660'), await ask('07660-1234')]
    expect([path, nine.statusCode, nine.body]).toEqual([path, 200, five.body])
  }
})

test.each([
  ['MissingParameter', {}],
  ['MissingParameter', { zipCode: '' }],
  ['InvalidParameter', { zipCode: '7660' }],
  ['InvalidParameter', { zipCode: '07660-123' }],
  ['InvalidLength', { zipCode: '07660-1234' }],
  ['InvalidParameter', { zipCode: '٠٧٦٦٠' }],
  ['RepeatedParameter', { zipCode: ['07660', '07660'] }],
])('operation 30 returns 400 "invalid zip code" with the error code %s for %j', async (code, query) => {
  const reply = await build()(query)
  expect([reply.statusCode, findingsOf(reply)]).toEqual([400, [`${code} query.zipCode`]])
  expect(reply.json().error.message).toContain('invalid zip code')
})

test('operation 30 returns 401 for a malformed identity', async () => {
  const ask = build()
  expect((await ask({ zipCode: '07660' }, asWeb('ü'))).statusCode).toBe(401)
})

test('operation 30 returns 404 for an unassigned zip code', async () => {
  const ask = build()
  const reply = await ask({ zipCode: '00000' })
  expect([reply.statusCode, reply.json().error.code]).toEqual([404, 'NotFoundError'])
})
