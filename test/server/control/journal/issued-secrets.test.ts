import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { asGuest, buildTestApp } from '../../../helpers/build-test-app.ts'

type App = ReturnType<typeof buildTestApp>['app']

const xml = { 'content-type': 'text/xml' }
const soap = (inputs: string, attribute = '') =>
  `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns:w="http://ws.iap.vendor.com/"><e:Body>` +
  `<w:createServiceToken${attribute}>${inputs}</w:createServiceToken></e:Body></e:Envelope>`

async function issue(app: App): Promise<string[]> {
  const grant = { user: 'u', scopes: [], locations: [], expiresIn: 60 }
  const bearer = (await app.inject({ method: 'POST', url: '/_control/tokens', payload: grant })).json().accessToken
  const payload = soap('<secret>123456789012</secret>')
  const issued = (await app.inject({ method: 'POST', url: '/iap/ws/RTCService', headers: xml, payload })).payload
  const headers = { authorization: 'Bearer token-home' }
  const draft = { subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }
  const { registrationUrl } = (
    await app.inject({ method: 'POST', url: '/subscriptions', headers, payload: draft })
  ).json()
  const seller = {
    method: 'PUT',
    url: '/_control/records/sellers/987654321098',
    payload: { secret: '987654321098', name: 'a' },
  } as const
  expect((await app.inject(seller)).statusCode).toBeLessThan(300)
  return [bearer, /<output>(\w{96})</.exec(issued)![1]!, /key=(\w+)/.exec(registrationUrl)![1]!, '987654321098']
}

const zip = '/stg/us/guest/zipCode'
const post = (payload: string, headers: Record<string, string> = xml) =>
  ({ method: 'POST', url: '/iap/ws/RTCService', headers, payload }) as const

const places: Record<string, (token: string) => InjectOptions> = {
  'a path': (token) => ({ url: `/stg/us/${token}` }),
  'a path below the SOAP address': (token) => ({ method: 'PUT', url: `/iap/ws/RTCService/${token}` }),
  'a query value': (token) => ({ url: `${zip}?zipCode=${token}`, headers: asGuest() }),
  'a URL-encoded address in the query': (token) => ({ url: `${zip}?zipCode=a%3Fb%3D${token}`, headers: asGuest() }),
  'a query name': (token) => ({ url: `${zip}?${token}=1`, headers: asGuest() }),
  headers: (token) => ({
    url: zip,
    headers: {
      soapaction: token,
      'user-agent': `x/${token}`,
      'x-trace': token,
      tracestate: `a=${token}`,
      traceparent: `00-${token}-0123456789abcdef-01`,
      'content-type': token,
      'vendorus-other': token,
    },
  }),
  'the request ID': (token) => ({ url: zip, headers: { 'x-request-id': token } }),
  'values and keys in JSON': (token) => post(JSON.stringify({ note: token, deep: [{ [token]: 1 }] }), {}),
  'an XML attribute': (token) => post(soap('<secret>1</secret>', ` title="${token}"`)),
  'an unknown XML element': (token) => post(soap(`<note>${token}</note>`)),
  'an XML comment': (token) => post(soap(`<!-- ${token} -->`)),
  'text that is not XML': (token) => post(`this is ${token}, not XML`),
  'invalid JSON with an escape': (token) => ({
    ...post(`{"a":"\\n${token}`, { ...asGuest(), 'content-type': 'application/json' }),
    url: '/stg/us/guest/customerFeedback',
  }),
}

test.each(Object.entries(places))(
  'an issued secret is redacted in a HAR archive and the redacted journal only: %s',
  async (_, ask) => {
    const { app } = buildTestApp()
    for (const secret of await issue(app)) {
      await app.inject({ method: 'DELETE', url: '/_control/journal' })
      await app.inject(ask(secret))
      const { payload } = await app.inject('/_control/journal?format=har')
      expect(payload).toMatch(/\{\{token:\d\}\}/)
      expect(payload).not.toContain(secret)
      expect((await app.inject('/_control/journal?redacted=true')).payload).not.toContain(secret)
      expect((await app.inject('/_control/journal')).payload).toContain(secret)
    }
  },
)
