import { createHash } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { asGuest, buildTestApp } from '../../../helpers/build-test-app.ts'
import { buildInStoreApp } from '../../../helpers/documents/in-store.ts'

type App = ReturnType<typeof buildTestApp>['app']

const xml = { 'content-type': 'text/xml' }
const soap = (inputs: string, attribute = '') =>
  `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns:w="http://ws.iap.vendor.com/"><e:Body>` +
  `<w:createServiceToken${attribute}>${inputs}</w:createServiceToken></e:Body></e:Envelope>`

/** A bearer, a service token, the key of a stream and the secret of a seller. */
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

const percent = (text: string) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
const escaped = (text: string) => [...text].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join('')
const references = (text: string) => [...text].map((letter) => `&#${letter.charCodeAt(0)};`).join('')

const zip = '/stg/us/guest/zipCode'
const post = (payload: string, headers: Record<string, string> = xml) =>
  ({ method: 'POST', url: '/iap/ws/RTCService', headers, payload }) as const

const places: Record<string, (token: string) => InjectOptions> = {
  'a path': (token) => ({ url: `/stg/us/${token}` }),
  'an encoded path': (token) => ({ url: `/stg/us/${percent(token)}` }),
  'a path encoded twice': (token) => ({ url: `/stg/us/${percent(percent(token))}` }),
  'a path of document 3': (token) => ({ method: 'PUT', url: `/iap/ws/RTCService/${token}` }),
  'a value of the query': (token) => ({ url: `${zip}?zipCode=${token}`, headers: asGuest() }),
  'a name of the query': (token) => ({ url: `${zip}?${token}=1`, headers: asGuest() }),
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
  'the id of the request': (token) => ({ url: zip, headers: { 'x-request-id': token } }),
  'a text of JSON': (token) => post(JSON.stringify({ note: token, deep: [{ [token]: 1 }] }), {}),
  'an escaped text of JSON': (token) => post(`{"note":"${escaped(token)}"}`, {}),
  'an attribute': (token) => post(soap('<secret>1</secret>', ` title="${token}"`)),
  'an element of another name': (token) => post(soap(`<note>${token}</note>`)),
  references: (token) => post(soap(`<note>${references(token)}</note>`)),
  'two sections of CDATA': (token) =>
    post(soap(`<note><![CDATA[${token.slice(0, 5)}]]><![CDATA[${token.slice(5)}]]></note>`)),
  'a comment': (token) => post(soap(`<!-- ${token} -->`)),
  'a text that is no XML': (token) => post(`this is ${token}, not XML`),
  'a text with escapes that is no JSON': (token) => post(`{"a":"\\n${token}`, { 'content-type': 'application/json' }),
}

test.each(Object.entries(places))(
  'the journal shows no issued secret, in a list, an entry, a verdict or an archive: %s',
  async (_, ask) => {
    const { app } = buildTestApp()
    for (const secret of await issue(app)) {
      await app.inject({ method: 'DELETE', url: '/_control/journal' })
      await app.inject(ask(secret))
      const list = await app.inject('/_control/journal?limit=100')
      const [entry] = list.json().entries
      const match = { match: { status: entry.status }, withinMs: 0 }
      const verify = { method: 'POST', url: '/_control/journal/verify', payload: match } as const
      for (const shown of [
        list.payload,
        (await app.inject(`/_control/journal/${entry.id}`)).payload,
        (await app.inject(verify)).payload,
        (await app.inject('/_control/journal?format=har')).payload,
      ]) {
        expect(shown).toMatch(/"(?:path|url)":/)
        for (const spelt of [secret, percent(secret), escaped(secret), references(secret), secret.slice(5)]) {
          expect(shown).not.toContain(spelt)
        }
      }
    }
  },
)

test('a secret has one placeholder wherever and whenever the journal shows it, and those of the fixtures have none', async () => {
  const { app } = buildTestApp()
  const [bearer, service] = await issue(app)
  await app.inject({ method: 'DELETE', url: '/_control/journal' })
  for (const part of [service, bearer, service]) await app.inject(`/stg/us/${part}`)
  await app.inject('/stg/us/token-home/123456789012/partner-1001')
  const { entries } = (await app.inject('/_control/journal')).json()
  const paths = entries.map(({ path }: { path: string }) => path).toReversed()
  expect(paths).toEqual([
    expect.stringMatching(/^\/stg\/us\/\{\{token:\d\}\}$/),
    expect.stringMatching(/^\/stg\/us\/\{\{token:\d\}\}$/),
    paths[0],
    '/stg/us/token-home/123456789012/partner-1001',
  ])
  expect(paths[1]).not.toBe(paths[0])
  for (const [i, { id }] of entries.toReversed().entries()) {
    expect((await app.inject(`/_control/journal/${id}`)).json().path).toBe(paths[i])
  }
})

test('the journal hides secrets that ended before or after they were sent', async () => {
  const { app } = buildTestApp()
  const [bearer = '', service = '', key = '', seller = ''] = await issue(app)
  const digest = (token: string) => createHash('sha256').update(token).digest('hex')
  const { items } = (await app.inject('/_control/records/subscriptions')).json()
  const send = async () => {
    for (const secret of [bearer, service, key, seller]) await app.inject({ url: zip, headers: { 'x-trace': secret } })
  }
  await send()
  for (const ended of [
    `tokens/${bearer}`,
    `records/serviceTokens/${digest(service)}`,
    `records/subscriptions/${items.at(-1).subscriptionId}`,
    `records/sellers/${seller}`,
  ]) {
    expect((await app.inject({ method: 'DELETE', url: `/_control/${ended}` })).statusCode).toBe(204)
  }
  await send()
  const { payload } = await app.inject('/_control/journal?limit=8')
  expect(payload.match(/"x-trace":"\{\{token:\d+\}\}"/g)).toHaveLength(8)
})

test("the journal hides the key of a mail's cancel link, also when its request is deleted", async () => {
  const { app, createdSrid, store } = await buildInStoreApp()
  const srid = await createdSrid()
  const [mail] = await store.outbox.find({ where: { srid } })
  const [, key = ''] = /key=(\w+)/.exec(mail!.links[0]!.href) ?? []
  await app.inject({ url: zip, headers: { 'x-trace': key } })
  const shown = async () => (await app.inject('/_control/journal?limit=1')).json().entries[0].request.headers['x-trace']
  expect(await shown()).toBe('{{token:1}}')
  await app.inject({ method: 'DELETE', url: `/_control/records/inStoreRequests/${srid}` })
  expect(await shown()).toBe('{{token:1}}')
})
