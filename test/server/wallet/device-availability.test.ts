import { describe, expect, onTestFinished, test } from 'vitest'
import { Unavailable } from '../../../src/server/ports/failures.ts'
import { buildTestApp, makeTestApp } from '../../helpers/build-test-app.ts'

const PATH = '/wallet/cmn/v2.0/device/available'
const partner = { partnerCode: 'partner-1001' }
const good = { modelName: 'VM-S100', serviceType: 'WALLET' }

function ask(query: Record<string, string | string[]> = good, headers: Record<string, string> = partner) {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  )
  return buildTestApp().app.inject({ method: 'GET', url: `${PATH}?${new URLSearchParams(pairs)}`, headers })
}

describe('models', () => {
  test.each([
    ['VM-S100', { available: true, supportKR: true }],
    ['VM-S200', { available: true, supportKR: false }],
    ['VM-S300', { available: false, supportKR: false }],
    ['VM-NOBODY-KNOWS', { available: false, supportKR: false }],
    ['x'.repeat(64), { available: false, supportKR: false }],
  ])('the availability check for the model %s returns 200', async (modelName, expected) => {
    const response = await ask({ ...good, modelName })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ resultCode: '0', resultMessage: 'SUCCESS', ...expected })
    expect(response.headers['content-type']).toBe('application/json;charset=UTF-8')
  })

  test('the availability check accepts a countryCode, and an empty one counts as absent', async () => {
    for (const countryCode of ['KR', 'US', '']) expect((await ask({ ...good, countryCode })).statusCode).toBe(200)
  })
})

describe('invalid parameters', () => {
  test.each<[string, Record<string, string | string[]>, Record<string, string>, string, string[]]>([
    ['a missing partnerCode', good, {}, 'CMN1N1001', ['partnerCode']],
    ['an empty partnerCode', good, { partnerCode: '' }, 'CMN1N1001', ['partnerCode']],
    ['a request without any parameters', {}, {}, 'CMN1N1001', ['partnerCode', 'modelName', 'serviceType']],
    ['an empty modelName', { ...good, modelName: '' }, partner, 'CMN1N1001', ['modelName']],
    ['a long partnerCode', good, { partnerCode: 'p'.repeat(33) }, 'CMN1N1003', ['partnerCode']],
    ['a long modelName', { ...good, modelName: 'm'.repeat(65) }, partner, 'CMN1N1003', ['modelName']],
    ['an unknown serviceType', { ...good, serviceType: 'PAY' }, partner, 'CMN1N1002', ['serviceType']],
    ['a serviceType in lowercase', { ...good, serviceType: 'wallet' }, partner, 'CMN1N1002', ['serviceType']],
    ['an unknown partner', good, { partnerCode: 'partner-0' }, 'CMN1N1002', ['partnerCode']],
    ['a repeated modelName', { ...good, modelName: ['VM-S100', 'VM-S100'] }, partner, 'CMN1N1002', ['modelName']],
    ['a repeated serviceType', { ...good, serviceType: ['WALLET', 'WALLET'] }, partner, 'CMN1N1002', ['serviceType']],
    ['a repeated countryCode', { ...good, countryCode: ['KR', 'KR'] }, partner, 'CMN1N1002', ['countryCode']],
    ['a parameter named constructor', { ...good, constructor: 'x' }, partner, 'CMN1N1002', ['constructor']],
    ['a parameter named __proto__', { ...good, ['__proto__']: 'x' }, partner, 'CMN1N1002', ['__proto__']],
    ['an unassigned countryCode', { ...good, countryCode: 'XX' }, partner, 'CMN2N2007', ['countryCode']],
    ['a countryCode of three letters', { ...good, countryCode: 'KOR' }, partner, 'CMN2N2007', ['countryCode']],
    ['a countryCode in lowercase', { ...good, countryCode: 'kr' }, partner, 'CMN2N2007', ['countryCode']],
  ])(
    '%s is rejected with its result code, and the message names the parameter',
    async (_what, query, headers, resultCode, names) => {
      const response = await ask(query, headers)
      expect(response.statusCode).toBe(400)
      expect(response.headers['content-type']).toBe('application/json;charset=UTF-8')
      expect(Object.keys(response.json())).toEqual(['resultCode', 'resultMessage'])
      expect(response.json().resultCode).toBe(resultCode)
      for (const name of names) expect(response.json().resultMessage).toContain(name)
    },
  )
})

test('parameters are validated in this order: missing, length, value, country', async () => {
  const wrong = { modelName: 'm'.repeat(65), serviceType: 'PAY', countryCode: 'XX' }
  const codes = [
    await ask(wrong, {}),
    await ask(wrong),
    await ask({ ...wrong, modelName: 'VM-S100' }),
    await ask({ ...good, countryCode: 'XX' }, { partnerCode: 'partner-0' }),
    await ask({ ...good, countryCode: 'XX' }),
  ].map((response) => response.json().resultCode)
  expect(codes).toEqual(['CMN1N1001', 'CMN1N1003', 'CMN1N1002', 'CMN1N1002', 'CMN2N2007'])
})

describe('internal failures', () => {
  test.each([
    [new Unavailable('no store'), 'CMN4N8003'],
    [new Error('a secret path /etc/x'), 'CMN5N9001'],
  ])('an internal failure (%s) returns 500 with its result code and without details', async (failure, resultCode) => {
    const { app, store, close } = makeTestApp()
    onTestFinished(close)
    const failing = { ...store, partners: { ...store.partners, get: () => Promise.reject(failure) } }
    app.addHook('preHandler', async (request) => {
      request.ports = { ...request.ports, store: failing }
    })
    const response = await app.inject({ url: `${PATH}?modelName=VM-S100&serviceType=WALLET`, headers: partner })
    expect(response.statusCode).toBe(500)
    expect(response.headers['content-type']).toBe('application/json;charset=UTF-8')
    expect(response.json().resultCode).toBe(resultCode)
    expect(response.body).not.toContain('/etc/x')
  })
})

test('HEAD returns the headers of GET without the body', async () => {
  const { app } = buildTestApp()
  const [get, head] = await Promise.all(
    (['GET', 'HEAD'] as const).map((method) =>
      app.inject({ method, url: `${PATH}?modelName=VM-S100&serviceType=WALLET`, headers: partner }),
    ),
  )
  expect(head?.statusCode).toBe(200)
  expect(head?.body).toBe('')
  expect(head?.headers['content-type']).toBe(get?.headers['content-type'])
  expect(head?.headers['content-length']).toBe(get?.headers['content-length'])
  const refused = await app.inject({ method: 'HEAD', url: PATH })
  expect([refused.statusCode, refused.body]).toEqual([400, ''])
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)(
  '%s is rejected with 405 and an Allow header',
  async (method) => {
    const response = await buildTestApp().app.inject({ method, url: PATH, headers: partner })
    expect(response.statusCode).toBe(405)
    expect(response.headers['allow']).toBe('GET, HEAD')
    expect(response.json()).toEqual({ resultCode: 'CMN5N9001', resultMessage: expect.stringContaining(method) })
  },
)

test.each(['/wallet', '/wallet/cmn/v1.0/device/available'])('%s returns 404 with a result code', async (url) => {
  const response = await buildTestApp().app.inject({ url, headers: partner })
  expect([response.statusCode, response.headers['content-type']]).toEqual([404, 'application/json;charset=UTF-8'])
  expect(response.json()).toEqual({ resultCode: 'CMN5N9001', resultMessage: expect.stringContaining('unknown') })
})
