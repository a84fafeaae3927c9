import { expect, test } from 'vitest'
import { rejectUnusableValues } from '../../helpers/bent-world.ts'
import { asWeb, buildTestApp } from '../../helpers/build-test-app.ts'

type App = ReturnType<typeof buildTestApp>['app']

async function refusalOf(app: App, method: 'GET' | 'PUT' | 'POST', url: string, payload?: object): Promise<string> {
  const headers = asWeb('web-alice')
  const { error } = (await app.inject({ method, url, headers, ...(payload && { payload }) })).json()
  return error.details.length > 1 ? error.details.map(({ message }: { message: string }) => message) : error.message
}

test('of a value whose type or form is wrong nothing else is said', async () => {
  const { app } = buildTestApp()
  expect(await refusalOf(app, 'PUT', '/_control/clock', { now: 'today' })).toBe(
    'body.now must be an instant such as 2026-03-31T14:00:00.000Z',
  )
  const booking = await refusalOf(app, 'POST', '/stg/us/instore/create', { symptoms: 'screen' })
  expect([booking].flat().filter((each) => each.startsWith('body.symptoms'))).toEqual([
    'body.symptoms must be an array',
  ])
})

test('the control API does not say of its own rules that they are our choice, but in the details', async () => {
  const { app } = buildTestApp()
  const { error } = (await app.inject({ method: 'PUT', url: '/_control/clock', payload: { forzen: true } })).json()
  const message = 'body has no field forzen; the nearest is frozen'
  expect(error).toMatchObject({ message, details: [{ message, source: expect.stringContaining('our choice') }] })
})

test('who asks for what there is not is told what was asked, and what there is', async () => {
  const { app } = buildTestApp()
  const device = (await app.inject('/_control/records/devices?limit=1')).json().items[0].deviceId as string
  const event = { capability: 'switch', attribute: 'switch', value: 'on' }
  expect(await refusalOf(app, 'POST', `/_control/devices/${device}x/events`, event)).toBe(
    `there is no device ${device}x; the nearest is ${device}`,
  )
  expect(await refusalOf(app, 'GET', '/_control/worlds/nope')).toBe('no world is named nope; there is default')
  expect(await refusalOf(app, 'GET', '/w/nope/stg/us/guest/zipCode')).toContain('no world is named nope; GET /_control')
  expect(await refusalOf(app, 'GET', '/_control/records/tickets/nope')).toBe(
    'tickets has no record nope; GET /_control/records/tickets lists them',
  )
  expect(await refusalOf(app, 'GET', '/_control/records/sellers/canary')).not.toContain('canary')
  expect(await refusalOf(app, 'GET', '/_control/records/accessTokens/canary')).not.toContain('canary')
})

test('401 and 403 lead to those who may, symptoms and slots to the call that lists them', async () => {
  const { app } = buildTestApp()
  expect(await refusalOf(app, 'GET', '/stg/us/dealer/customers')).toContain('GET /_control/status names dealers')
  const anonymous = await app.inject({ url: '/stg/us/dealer/customers', headers: { 'request-source': 'vendor.com' } })
  expect(anonymous.json().error.message).toContain('GET /_control/status names callers')
  const bearer = await app.inject({ url: '/subscriptions/x', headers: { authorization: 'Bearer nope' } })
  expect(bearer.json().error.message).toContain('GET /_control/status')
  await rejectUnusableValues(app)
  const url = '/stg/us/instore/noauth/slots?ascType=VSC&ascCode=VSC1001&symptoms=nope'
  const lost = await app.inject({ url, headers: asWeb('web-alice') })
  expect(lost.json().error.message).toMatch(/symptoms.* that GET \/stg\/us\/instore\/noauth\/symptoms lists/)
})
