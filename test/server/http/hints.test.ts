import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../../src/server/app.ts'
import { asWeb, buildTestApp } from '../../helpers/build-test-app.ts'

const draft = { subscriptionFilters: [{ type: 'DEVICEIDS', value: ['no-device'] }] }
const subscribe = (authorization: string) =>
  ({ method: 'POST', url: '/subscriptions', headers: { authorization }, payload: draft }) as const

const refused = [
  { url: '/w/nowhere/stg/us/guest/zipCode' },
  { url: '/stg/us/dealer/tickets', headers: { 'request-source': 'vendor.com' } },
  { url: '/stg/us/dealer/tickets', headers: asWeb('web-alice') },
  { url: '/stg/us/dealer/tickets', headers: asWeb('nobody') },
  subscribe('Basic x'),
  subscribe('Bearer unknown'),
  subscribe('Bearer token-home'),
  { url: '/wallet/cmn/v2.0/device/available?modelName=VM-S100&serviceType=WALLET', headers: { partnercode: 'none' } },
]

test('error responses suggest control API calls, unless the control API is off', async () => {
  const { app, worlds } = buildTestApp()
  const off = buildApp({ worlds })
  onTestFinished(() => off.close())
  for (const request of refused) {
    const [led, plain] = [await app.inject(request), await off.inject(request)]
    expect(led.payload).toContain(' /_control/')
    expect(plain.payload).not.toContain('_control')
    expect(plain.statusCode).toBe(led.statusCode)
    expect(textsOf(led.json()).map((each) => each.replace(/; [^;()]* \/_control\/[^;()]*?(?= \(|$)/, ''))).toEqual(
      textsOf(plain.json()),
    )
  }
})

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => (name === 'requestId' ? [] : textsOf(each)))
}
