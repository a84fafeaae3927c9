import { expect, test } from 'vitest'
import { buildTestApp } from '../../../helpers/build-test-app.ts'

type App = ReturnType<typeof buildTestApp>['app']

const zip = '/stg/us/guest/zipCode?zipCode=07660'
const wallet = '/wallet/cmn/v2.0/device/available?modelName=VM-S100&serviceType=WALLET'
async function callAs(app: App, name: (known: string) => string): Promise<void> {
  const web = { 'request-source': 'vendor.com' }
  await app.inject({ url: zip, headers: { ...web, 'vendorus-profId': name('web-alice') } })
  await app.inject({ url: zip, headers: { ...web, cookie: `vendorus-profId="${name('web-bob')}"; theme="dark"` } })
  await app.inject({ url: zip, headers: { ...web, cookie: `vendorus-profId=${name('web-bob')}` } })
  await app.inject({ url: zip, headers: { 'request-source': 'splus', 'vendorus-GUID': name('splus-carol') } })
  await app.inject({ url: `/subscriptions/x?token=${name('token-other')}` })
  await app.inject({ url: '/subscriptions/x', headers: { authorization: `Bearer ${name('token-home')}` } })
  await app.inject({ url: wallet, headers: { partnerCode: name('partner-1001') } })
  const body = { rating: 5, comment: 'x', accessToken: name('token-guest') }
  await app.inject({ method: 'POST', url: '/stg/us/guest/customerFeedback', headers: web, payload: body })
}

async function readSent(app: App): Promise<unknown[]> {
  const { entries } = (await app.inject('/_control/journal')).json()
  return entries.toReversed().map(({ query, request }: { query?: string; request: Sent }) => {
    const { headers, body } = request
    const own = Object.entries(headers).find(([name]) => /^vendorus|^cookie|^author|^partner/.test(name))
    return own?.[1] ?? body?.accessToken ?? query
  })
}

interface Sent {
  headers: Record<string, string>
  body?: { accessToken: string }
}

test('the journal shows identities and tokens as they were sent', async () => {
  const { app } = buildTestApp()
  await callAs(app, (known) => `${known}x`)
  expect(await readSent(app)).toEqual([
    'web-alicex',
    'vendorus-profId="web-bobx"; theme="dark"',
    'vendorus-profId=web-bobx',
    'splus-carolx',
    'token=token-otherx',
    'Bearer token-homex',
    'partner-1001x',
    'token-guestx',
  ])
})

test.each([
  { header: { 'vendorus-profId': 'web-alice' } },
  { header: { authorization: 'Bearer token-home' } },
  { header: { partnerCode: 'partner-1001' } },
  { query: { token: 'token-other' } },
  { body: { accessToken: 'token-guest' } },
])('a verification matches the identity or token of a fixture caller: %j', async (match) => {
  const { app } = buildTestApp()
  await callAs(app, (known) => known)
  const payload = { match, count: 1 }
  const reply = await app.inject({ method: 'POST', url: '/_control/journal/verify', payload })
  expect(reply.json()).toMatchObject({ matched: true, count: 1 })
})
