import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe as suite, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Description, operationsOf, toRequest } from '../../helpers/openapi-examples.ts'
import { openStream } from '../../helpers/documents/stream-reader.ts'
import { newServiceToken, soap } from './flow.ts'
import { call, programs, useServer } from './server.ts'

const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'
const bearer = { authorization: 'Bearer token-home' }
const world = `operations-${process.pid}`
const read = (name: string) =>
  parse(readFileSync(join(import.meta.dirname, `../../../openapi/${name}.yaml`), 'utf8')) as Description

suite.each(programs)('%s', (program) => {
  const server = useServer(program)
  /** Operations that have been requested, such as `GET /wallet/cmn/v2.0/device/available`. */
  const asked: string[] = []

  /** The description that the world serves. Its examples contain dates that are valid in that world. */
  let served: Description
  beforeAll(async () => {
    await call(`${server.url}/_control/worlds`, 'POST', { name: world })
    served = (await call(`${server.url}/w/${world}/openapi/support.json`, 'GET')).json as unknown as Description
  })
  afterAll(async () => void (await call(`${server.url}/_control/worlds/${world}`, 'DELETE')))

  async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    asked.push(`${method} ${path.split('?')[0]}`)
    return call(`${server.url}/w/${world}${path}`, method, body, headers)
  }

  test.each(operationsOf(read('support')).filter(({ operation }) => operation['x-example-needs'] === undefined))(
    '$method $path returns 200 for its example, with a body that is not an error',
    async ({ path, method }) => {
      const { method: verb, url, headers, payload } = toRequest('', path, method, served.paths[path]![method]!)
      asked.push(`${verb} ${String(url).split('?')[0]}`)
      const reply = await fetch(`${server.url}/w/${world}${String(url)}`, {
        method: verb!,
        headers: { ...(payload ? { 'content-type': 'application/json' } : {}), ...(headers as Record<string, string>) },
        ...(payload ? { body: Buffer.isBuffer(payload) ? payload : JSON.stringify(payload) } : {}),
      })
      const text = await reply.text()
      expect([reply.status, text]).toEqual([200, expect.not.stringContaining('"error":')])
    },
  )

  test('the cancellation link in an email cancels the request of that email', async () => {
    const { text } = await ask('GET', '/_control/outbox')
    const [, query] = /\/cancel\?([^"\s<]+)/.exec(text) ?? []
    const path = `/stg/us/instore/noauth/emailcancel?${query}`
    const reply = await ask('DELETE', path, undefined, { 'request-source': 'vendor.com' })
    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('"cancelled":true')])
  })

  test('a subscription can be created, read, changed, streamed, resumed and deleted', async () => {
    const draft = { name: 'acceptance', version: 1, subscriptionFilters: [{ type: 'DEVICEIDS', value: [LIGHT] }] }
    const created = await ask('POST', '/subscriptions', draft, bearer)
    const { subscriptionId, registrationUrl } = created.json as { subscriptionId: string; registrationUrl: string }
    const path = `/subscriptions/${subscriptionId}`
    expect((await ask('GET', path, undefined, bearer)).json).toMatchObject({ name: 'acceptance' })
    const changed = await ask('PUT', path, { ...draft, name: 'changed' }, bearer)
    expect([changed.status, changed.json['name']]).toEqual([200, 'changed'])

    const emit = (value: string) =>
      ask('POST', `/_control/devices/${LIGHT}/events`, { capability: 'switch', attribute: 'switch', value })
    asked.push(`GET /filters/${subscriptionId}/activate`)
    const stream = await openStream(registrationUrl)
    expect((await stream.next())?.data).toBe('welcome')
    await emit('on')
    const seen = (await stream.next())!
    stream.cut()
    await emit('off')
    const resumed = await openStream(registrationUrl, { 'last-event-id': seen.id! })
    await resumed.until('"value":"off"')
    expect(resumed.text).not.toContain('"value":"on"')

    expect((await ask('DELETE', path, undefined, bearer)).status).toBeLessThan(300)
    expect(await resumed.ended).toBe('end')
  })

  test('the wallet API returns availability for a model and an error code for invalid requests', async () => {
    const path = '/wallet/cmn/v2.0/device/available'
    const partner = { partnerCode: 'partner-1001' }
    const of = (modelName: string) =>
      ask('GET', `${path}?modelName=${modelName}&serviceType=WALLET`, undefined, partner)
    expect((await of('VM-S100')).json).toMatchObject({ resultCode: '0', available: true })
    expect((await of('VM-NONE')).json).toMatchObject({ resultCode: '0', available: false })
    const wrong = await ask('GET', `${path}?modelName=VM-S100&serviceType=PURSE`, undefined, partner)
    expect([wrong.status, wrong.json['resultCode']]).toEqual([400, expect.stringMatching(/^CMN/)])
  })

  test('the billing API returns a purchase for a service token and rejects an invalid one', async () => {
    const url = `${server.url}/w/${world}`
    const serviceToken = await newServiceToken(url)
    const status = (token: string) =>
      soap(
        url,
        'getSubscriptionStatus',
        `<purchaseID>purchase-active</purchaseID><serviceToken>${token}</serviceToken>`,
      )
    expect(await status(serviceToken)).toContain('<subscriptionStatus>ACTIVE</subscriptionStatus>')
    expect(await status('0'.repeat(96))).toMatch(/<errorCode>\d+<\/errorCode>/)
    expect(await soap(url, 'noSuchOperation', '')).toMatch(/<(\w+:)?Fault[ >]/)
  })

  test('the status of the control API contains the name of the world', async () => {
    expect((await ask('GET', '/_control/status')).json).toMatchObject({ world })
  })

  test('the tests of this file call every operation of the documents over HTTP', () => {
    const names = ['support', 'events', 'wallet']
    const missing = names.flatMap((name) =>
      operationsOf(read(name)).filter(({ path, method }) => {
        const pattern = new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
        return !asked.some((each) => pattern.test(each))
      }),
    )
    expect(missing.map(({ path, method }) => `${method} ${path}`)).toEqual([])
  })
})
