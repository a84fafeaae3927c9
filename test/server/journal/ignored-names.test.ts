import { expect, test } from 'vitest'
import { asErin, asGuest, asWeb, buildTestApp } from '../../helpers/build-test-app.ts'
import { call, SECRET } from '../../helpers/documents/soap.ts'

type App = ReturnType<typeof buildTestApp>['app']

async function readIgnored(app: App): Promise<unknown> {
  return (await app.inject('/_control/journal?limit=1')).json().entries[0].ignored
}

test('the journal lists each unknown query parameter once, with the most similar known parameter', async () => {
  const { app } = buildTestApp()
  const get = (query: string) => app.inject({ url: `/stg/us/guest/zipCode?${query}`, headers: asGuest() })
  await get('zipcode=07660&zipcode=07661&colour=red')
  expect(await readIgnored(app)).toEqual([{ name: 'query.zipcode', near: 'zipCode' }, { name: 'query.colour' }])
  await get('ZIPCODE=07660')
  expect(await readIgnored(app)).toEqual([{ name: 'query.ZIPCODE', near: 'zipCode' }])
  await get('zipCode=07660')
  expect(await readIgnored(app)).toBeUndefined()
})

test('the journal lists unknown vendor headers and no other unknown headers', async () => {
  const { app } = buildTestApp()
  const url = '/stg/us/contact/reason'
  await app.inject({
    url,
    headers: { ...asWeb('web-alice'), 'vendorus-profileId': 'a', 'x-mine': 'b' },
  })
  expect(await readIgnored(app)).toEqual([{ name: 'header.vendorus-profileid', near: 'vendorus-profId' }])
  await app.inject({ url: '/subscriptions/none', headers: { 'vendorus-GUID': 'a' } })
  expect(await readIgnored(app)).toEqual([{ name: 'header.vendorus-guid' }])
})

test('the journal names the header that was sent instead of partnerCode', async () => {
  const { app } = buildTestApp()
  const url = '/wallet/cmn/v2.0/device/available?modelName=VM-S100&serviceType=WALLET'
  await app.inject({ url, headers: { 'partner-code': 'partner-1001' } })
  expect(await readIgnored(app)).toEqual([{ name: 'header.partner-code', near: 'partnerCode' }])
  await app.inject({ url, headers: { partnerCode: 'partner-1001', 'partner-code': 'partner-1001' } })
  expect(await readIgnored(app)).toBeUndefined()
})

test('the error for a missing Authorization header names the ignored header', async () => {
  const { app } = buildTestApp()
  const read = async (headers: Record<string, string>) =>
    (await app.inject({ method: 'POST', url: '/subscriptions', headers })).json().error.message as string
  expect(await read({ Authorisation: 'Bearer token-home' })).toMatch(/is required, and authorisation is ignored; GET/)
  expect(await read({ authorization: '' })).toMatch(/is required; GET/)
})

test('the journal lists unknown body fields at any depth, with the most similar known field', async () => {
  const { app } = buildTestApp()
  const payload = {
    name: 'a',
    versoin: 2,
    subscriptionFilters: [{ type: 'LOCATIONIDS', values: ['ALL'] }],
  }
  const headers = { authorization: 'Bearer token-home' }
  await app.inject({ method: 'POST', url: '/subscriptions', headers, payload })
  expect(await readIgnored(app)).toEqual([
    { name: 'body.versoin', near: 'version' },
    { name: 'body.subscriptionFilters[0].values', near: 'value' },
  ])
})

test('the journal lists unknown values in a filter, with the most similar known value', async () => {
  const { app } = buildTestApp()
  const filter = { type: 'LOCATIONIDS', value: ['ALL'] }
  const subscriptionFilters = [
    { ...filter, eventType: ['DEVICE_HEALTH_EVENT', 'DEVICE', 'none'], capability: 'swich', attribute: 'level' },
    { ...filter, eventType: ['DEVICE_EVENT'], capability: '*', attribute: 'colour', component: 'attic' },
  ]
  const headers = { authorization: 'Bearer token-home' }
  await app.inject({ method: 'POST', url: '/subscriptions', headers, payload: { subscriptionFilters } })
  expect(await readIgnored(app)).toEqual([
    { name: 'body.subscriptionFilters[0].eventType[1]', value: 'DEVICE', near: 'DEVICE_EVENT' },
    { name: 'body.subscriptionFilters[0].eventType[2]', value: 'none' },
    { name: 'body.subscriptionFilters[0].capability', value: 'swich', near: 'switch' },
    { name: 'body.subscriptionFilters[1].attribute', value: 'colour', near: 'color' },
    { name: 'body.subscriptionFilters[1].component', value: 'attic' },
  ])
})

test('the journal lists an attribute that the capability of a filter does not have', async () => {
  const { app } = buildTestApp()
  const filter = { type: 'LOCATIONIDS', value: ['ALL'], component: 'mainn', capability: 'switch', attribute: 'level' }
  const headers = { authorization: 'Bearer token-home' }
  const payload = { subscriptionFilters: [filter, { ...filter, component: 'main', capability: 'switchLevel' }] }
  await app.inject({ method: 'POST', url: '/subscriptions', headers, payload })
  expect(await readIgnored(app)).toEqual([
    { name: 'body.subscriptionFilters[0].component', value: 'mainn', near: 'main' },
    { name: 'body.subscriptionFilters[0].attribute', value: 'level' },
  ])
})

test.each(['zipcode', 'zip'])('the error for a missing parameter names the ignored parameter %s', async (name) => {
  const { app } = buildTestApp()
  const { error } = (await app.inject({ url: `/stg/us/guest/zipCode?${name}=07660`, headers: asGuest() })).json()
  expect(error.details[0].message).toBe(`query.zipCode is required, and ${name} is ignored`)
})

test.each([
  ['/stg/us/guest/serviceRequest/asset/symptomImage?srId=1', {}, 'query.srid or query.ticketNumber', 'srId'],
  ['/stg/us/dealer/customers/ticket', { bpno: '1000000001' }, 'body.bpNo', 'bpno'],
])('the error of POST %s with %j says which name is ignored', async (url, payload, missing, name) => {
  const { app } = buildTestApp()
  const reply = await app.inject({ method: 'POST', url, headers: asWeb('dealer-erin'), payload })
  const messages = reply.json().error.details.map(({ message }: { message: string }) => message)
  expect(messages).toContain(`${missing} is required, and ${name} is ignored`)
})

test('the journal lists unknown inputs of a SOAP call, with the most similar known input', async () => {
  const { app } = buildTestApp()
  const payload = call('getSubscriptionStatus', { purchaseId: 'a' })
  await app.inject({
    method: 'POST',
    url: '/iap/ws/RTCService',
    headers: { 'content-type': 'text/xml' },
    payload,
  })
  expect(await readIgnored(app)).toEqual([{ name: 'body.purchaseId', near: 'purchaseID' }])
})

test('the journal shortens long unknown names and lists at most 20', async () => {
  const { app } = buildTestApp()
  const many = Array.from({ length: 50 }, (_, i) => `${'n'.repeat(300)}${i}=1`).join('&')
  await app.inject({
    url: `/stg/us/guest/zipCode?a%26accessToken%3Dcanary=1&${many}`,
    headers: asGuest(),
  })
  const ignored = (await readIgnored(app)) as { name: string }[]
  expect(ignored).toHaveLength(20)
  expect(Math.max(...ignored.map(({ name }) => name.length))).toBeLessThanOrEqual('query.'.length + 100)
})

test('the journal does not list ?wsdl in a SOAP address as an unknown parameter', async () => {
  const { app } = buildTestApp()
  const payload = call('createServiceToken', { secret: SECRET })
  const post = (query: string) =>
    app.inject({ method: 'POST', url: `/iap/ws/RTCService?${query}`, headers: { 'content-type': 'text/xml' }, payload })
  await post('wsdl')
  expect(await readIgnored(app)).toBeUndefined()
  await post('wsdl&colour=red')
  expect(await readIgnored(app)).toEqual([{ name: 'query.colour' }])
})

test.each(['', '&bpNoList=1000000001'])(
  'the journal lists a reduced page size for %j, also in a long page',
  async (filter) => {
    const { app } = buildTestApp()
    await app.inject({ url: `/stg/us/dealer/tickets?limit=1000${filter}`, headers: asErin() })
    expect(await readIgnored(app)).toEqual([{ name: 'query.limit' }])
  },
)
