import { expect, test } from 'vitest'
import { rejectUnusableValues } from '../../helpers/open-with-choices.ts'
import { asWeb, buildTestApp } from '../../helpers/build-test-app.ts'

type App = ReturnType<typeof buildTestApp>['app']

async function refusalOf(app: App, method: 'GET' | 'PUT' | 'POST', url: string, payload?: object): Promise<string> {
  const headers = asWeb('web-alice')
  const { error } = (await app.inject({ method, url, headers, ...(payload && { payload }) })).json()
  return error.details.length > 1 ? error.details.map(({ message }: { message: string }) => message) : error.message
}

test('a value with a wrong type or format is reported only once', async () => {
  const { app } = buildTestApp()
  expect(await refusalOf(app, 'PUT', '/_control/clock', { now: 'today' })).toBe(
    'body.now must be a timestamp such as 2026-03-31T14:00:00.000Z',
  )
  const booking = await refusalOf(app, 'POST', '/stg/us/instore/create', { symptoms: 'screen' })
  expect([booking].flat().filter((each) => each.startsWith('body.symptoms'))).toEqual([
    'body.symptoms must be an array',
  ])
})

test('control API error details cite a choice as their source, but error messages do not', async () => {
  const { app } = buildTestApp()
  const { error } = (await app.inject({ method: 'PUT', url: '/_control/clock', payload: { forzen: true } })).json()
  const message = 'body has no field forzen; the nearest is frozen'
  expect(error).toMatchObject({ message, details: [{ message, source: expect.stringContaining('our choice') }] })
})

test('the error for an unknown ID contains the ID unless it is a secret', async () => {
  const { app } = buildTestApp()
  const device = (await app.inject('/_control/records/devices?limit=1')).json().items[0].deviceId as string
  const event = { capability: 'switch', attribute: 'switch', value: 'on' }
  expect(await refusalOf(app, 'POST', `/_control/devices/${device}x/events`, event)).toBe(
    `device ${device}x does not exist; the nearest is Living room light (${device})`,
  )
  expect(await refusalOf(app, 'GET', '/_control/worlds/nope')).toBe('world nope does not exist; try default')
  expect(await refusalOf(app, 'GET', '/w/nope/stg/us/guest/zipCode')).toContain(
    'world nope does not exist; GET /_control',
  )
  expect(await refusalOf(app, 'GET', '/_control/records/tickets/nope')).toBe(
    'tickets has no record nope; GET /_control/records/tickets lists them',
  )
  expect(await refusalOf(app, 'GET', '/_control/records/sellers/canary')).not.toContain('canary')
  expect(await refusalOf(app, 'GET', '/_control/records/sellers/12345678901')).not.toContain('nearest')
  expect(await refusalOf(app, 'GET', '/_control/records/accessTokens/canary')).not.toContain('canary')
})

test('the error for an unknown name or ID suggests the closest one', async () => {
  const { app } = buildTestApp()
  const post = async (url: string, payload: object) => (await app.inject({ method: 'POST', url, payload })).json()
  const { faultId } = await post('/_control/faults', { match: { operation: 30 }, respond: { status: 503 } })
  const step = { capability: 'switch', attribute: 'switch', value: 'on', afterMs: 60_000 }
  const deviceId = 'aaaaaaaa-0000-4000-8000-000000000001'
  const { scenarioId } = await post('/_control/scenarios', { steps: [{ deviceId, ...step }] })
  for (const [method, url, message] of [
    [
      'GET',
      'purchases/purchase-activ/payments',
      'purchase purchase-activ does not exist; the nearest is purchase-active',
    ],
    ['DELETE', `faults/${faultId}x`, `no fault has the id ${faultId}x; the nearest is ${faultId}`],
    ['DELETE', `scenarios/${scenarioId}x`, `scenario ${scenarioId}x is not running; the nearest is ${scenarioId}`],
    ['POST', 'tickets/4100000018/confirm', 'service request 4100000018 does not exist; the nearest is 4100000017'],
    ['GET', 'records/tickets/4100000018', 'tickets has no record 4100000018; the nearest is 4100000017'],
    ['DELETE', 'records/tickets/4100000018', 'tickets has no record 4100000018; the nearest is 4100000017'],
    ['GET', 'records/ticket', 'collection ticket does not exist; the nearest is tickets'],
  ] as const) {
    const { statusCode, body } = await app.inject({ method, url: `/_control/${url}` })
    expect([url, statusCode, JSON.parse(body).error.message]).toEqual([url, 404, message])
  }
})

test('the error for an unknown collection lists the known collections once', async () => {
  const message = await refusalOf(buildTestApp().app, 'GET', '/_control/records/nothing-like-it')
  expect(message).toMatch(/^collection nothing-like-it does not exist. Known collections: companies, profiles, /)
  expect(message.match(/tickets/g)).toHaveLength(1)
})

test('401 and 403 messages say where to find valid callers', async () => {
  const { app } = buildTestApp()
  expect(await refusalOf(app, 'GET', '/stg/us/dealer/customers')).toContain('GET /_control/status names dealers')
  const anonymous = await app.inject({ url: '/stg/us/dealer/customers', headers: { 'request-source': 'vendor.com' } })
  expect(anonymous.json().error.message).toContain('GET /_control/status names callers')
  const bearer = await app.inject({ url: '/subscriptions/x', headers: { authorization: 'Bearer nope' } })
  expect(bearer.json().error.message).toContain('GET /_control/status')
  await rejectUnusableValues(app)
  const url = '/stg/us/instore/noauth/slots?ascType=VSC&ascCode=VSC1001&symptoms=nope'
  const lost = await app.inject({ url, headers: asWeb('web-alice') })
  expect(lost.json().error.message).toMatch(/symptoms.* is not listed by GET \/stg\/us\/instore\/noauth\/symptoms/)
})

test('an error for swapped letters suggests the field', async () => {
  const { app } = buildTestApp()
  expect(await refusalOf(app, 'POST', '/_control/journal/verify', { match: {}, cuont: 1 })).toBe(
    'body has no field cuont; the nearest is count',
  )
})
