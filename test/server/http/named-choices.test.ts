import { expect, test } from 'vitest'
import { rules } from '../../../src/contract/rules.ts'
import { asErin, buildTestApp, type TestApp } from '../../helpers/build-test-app.ts'
import { call } from '../../helpers/documents/soap.ts'

type App = TestApp['app']
type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'
interface Described {
  parameters?: { $ref?: string; in: string; name: string }[]
  requestBody?: { content: Record<string, { schema: { $ref?: string; properties?: object } }> }
}
interface Document {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, { properties?: object }> }
}

const TEXTS = ['x', '1000000001', '\u{1f600}'.repeat(300)]
const VALUES = [...TEXTS, 1.5, null, {}, [1, {}], [{ type: 'DEVICEIDS', value: ['x'] }]]
const BODIES = [
  '{',
  '{"__proto__":{}}',
  '"\xff',
  '['.repeat(70),
  `[${'1,'.repeat(20_000)}1]`,
  '[]',
  '7',
  '{"unknown":1}',
]

const callers = { ...asErin(), authorization: 'Bearer token-home', partnercode: 'partner-1001' }
const strange = { 'request-source': 'x', 'vendorus-profId': 'ü', authorization: 'Basic x', partnercode: 'x'.repeat(40) }

/** For every operation of an API, yields requests with an invalid value for each parameter and field. */
async function* badRequests(app: App, name: string) {
  const { paths, components } = (await app.inject(`/openapi/${name}.json`)).json() as Document
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
      const { schema } = Object.values(requestBody?.content ?? {})[0] ?? { schema: {} }
      const { properties = {} } = schema.$ref ? components.schemas[schema.$ref.split('/').at(-1)!]! : schema
      const queried = parameters.filter((each) => each.in === 'query').map((each) => each.name)
      const request = (value: string, query: string, more: object = {}) => ({
        method: method.toUpperCase() as Method,
        url: `${path.replace(/\{[\w-]+\}/g, encodeURIComponent(value))}?${query}`,
        headers: callers,
        ...more,
      })
      const all = (value: string) => queried.map((each) => `${each}=${encodeURIComponent(value)}`).join('&')
      yield request('x', '', { headers: strange })
      yield request('x', 'constructor=1&unknown=1', { headers: {} })
      yield request('x', `${all('1')}&${all('1')}`)
      for (const value of TEXTS) yield request(value.slice(0, 20), all(value))
      if (!requestBody) continue
      for (const value of VALUES) {
        const payload = Object.fromEntries(Object.keys(properties).map((field) => [field, value]))
        yield request('1000000001', '', { payload })
      }
      const json = { ...callers, 'content-type': 'application/json' }
      for (const body of BODIES) yield request('x', '', { headers: json, payload: Buffer.from(body, 'latin1') })
      yield request('x', '', { headers: { ...callers, 'content-type': 'text/plain' }, payload: 'x' })
      yield request('x', '', { headers: { ...json, 'content-encoding': 'gzip' }, payload: '{}' })
    }
  }
}

async function* badCalls() {
  const headers = { 'content-type': 'text/xml' }
  const request = (payload: string, more: object = {}) => ({
    method: 'POST' as const,
    url: '/iap/ws/RTCService',
    headers: { ...headers, ...more },
    payload,
  })
  for (const body of ['', '<a/>', '<!DOCTYPE a>', '{']) yield request(body)
  for (const value of ['', 'x', '1', '123456789012', '<a/>']) {
    for (const operation of ['createServiceToken', 'getSubscriptionStatus', 'nothing']) {
      yield request(call(operation, { secret: value, purchaseID: value, serviceToken: value }))
    }
  }
  yield request(call('createServiceToken', {}), { 'content-type': 'application/json' })
  yield request(call('createServiceToken', {}), { 'content-encoding': 'br' })
  yield { method: 'PUT' as const, url: '/iap/ws/RTCService', headers }
}

interface Told {
  source?: string
}
interface Refused {
  why?: Told & { findings?: Told[] }
}

/**
 * Returns the sources of an error. Responses of the control API contain them. For other responses, they are read from
 * the journal.
 */
async function sourcesOf(app: App, reply: Awaited<ReturnType<App['inject']>>): Promise<string[]> {
  const details = /"source":"/.test(reply.payload) ? reply.json().error.details : undefined
  const [entry] = (await app.inject('/_control/journal?refused=true&limit=1')).json().entries as Refused[]
  const { source, findings = [] } = entry?.why ?? {}
  const found = [...(details ?? findings).map((each: Told) => each.source ?? 'nowhere'), source]
  return found.filter((each) => each !== undefined)
}

const isNamed = (told: string) => {
  const [, id] = /^our choice: ([\w-]+)$/.exec(told) ?? []
  return /^(?:document|RFC|SOAP|XML|POST) /.test(told) || (id !== undefined && Object.hasOwn(rules, id))
}

test.each(['support', 'events', 'wallet', 'control', 'billing'])(
  'every error response to invalid input for %s cites a section or a choice',
  async (name) => {
    const { app } = buildTestApp()
    const told = new Set<string>()
    let refused = 0
    for await (const request of name === 'billing' ? badCalls() : badRequests(app, name)) {
      const reply = await app.inject(request)
      if (reply.statusCode < 400) continue
      refused++
      expect(reply.payload).not.toContain('(our choice)')
      for (const source of await sourcesOf(app, reply)) told.add(source)
    }
    expect(refused).toBeGreaterThan(5)
    expect([...told].filter((each) => !isNamed(each))).toEqual([])
  },
)
