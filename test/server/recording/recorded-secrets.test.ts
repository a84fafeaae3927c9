import { expect, onTestFinished, test } from 'vitest'
import { replayText } from '../../../src/cli/cases/replay.ts'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { call } from '../../system/acceptance/server.ts'

const zip = '/stg/us/guest/zipCode?zipCode=07660'
const guest = { 'request-source': 'vendor.com' }
type Send = (path: string, type?: string, body?: string | Uint8Array, headers?: object) => Promise<void>

function createSend(url: string): Send {
  return async (path, type, body, headers) => {
    const sent = { ...guest, ...(type !== undefined && { 'content-type': type }), ...headers }
    const init = body === undefined ? {} : { method: 'POST', body }
    await (await fetch(url + path, { ...init, headers: sent })).text()
  }
}

const device = 'aaaaaaaa-0000-4000-8000-000000000001'
const subscription = JSON.stringify({ subscriptionFilters: [{ type: 'DEVICEIDS', value: [device] }] })
const feedback = JSON.stringify({ rating: 5, comment: 'c' })
const subscribe = (send: Send, bearer: string) =>
  send('/subscriptions', 'application/json', subscription, { authorization: `Bearer ${bearer}` })
const sendFeedback = (send: Send, headers: object) =>
  send('/stg/us/guest/customerFeedback', 'application/json', feedback, headers)
const provoke = (send: Send, cookie: string) =>
  send(
    '/_control/faults',
    'application/json',
    JSON.stringify({
      match: { operation: 30 },
      respond: { status: 200, headers: { 'set-cookie': cookie }, body: 'x' },
    }),
  )

const meanings: Record<string, (send: Send, token: string) => Promise<void>> = {
  'a session ID that equals a device ID': async (send) => {
    await send(zip, undefined, undefined, { 'x-session-id': device })
    await subscribe(send, 'token-home')
  },
  'a bearer token that equals a word in the path': (send) =>
    sendFeedback(send, { authorization: 'Bearer customerFeedback' }),
  'a password that equals a word in the path': (send) =>
    sendFeedback(send, { authorization: `Basic ${btoa('u:customerFeedback')}` }),
  'a token in a query that equals a word in the path': (send) =>
    sendFeedback(send, { referer: 'https://a.example/?token=customerFeedback' }),
  'an API key that equals the content type': (send) => sendFeedback(send, { 'x-api-key': 'application/json' }),
  'an issued token in quotes': async (send, token) => {
    await subscribe(send, token)
    await subscribe(send, `"${token}"`)
    await send(zip, undefined, undefined, { cookie: `sid="${token}"; session=${token}.sig1` })
  },
  'a cookie with attributes': async (send) => {
    await provoke(send, 'sid=short77; Path=/')
    await send(zip)
  },
  'a cookie with attributes and no spaces': async (send) => {
    await provoke(send, 'token=longer-than-7;Secure;Path=/')
    await send(zip)
  },
  'a token with a control character': (send) =>
    send('/stg/us/guest/customerFeedback', 'application/json', '{"rating":5,"comment":"c","token":"\\u0001zz99zz99"}'),
}

test.each(Object.keys(meanings))(
  'a recording replays with the same responses if a secret looks like another value: %s',
  async (meaning) => {
    const server = await startServer(readConfig({ PORT: '0' }))
    onTestFinished(() => server.close())
    const { url } = server
    await call(`${url}/_control/recordings`, 'POST', {})
    const grant = {
      user: 'u',
      scopes: ['r:devices:*'],
      locations: ['11111111-0000-4000-8000-000000000001'],
      expiresIn: 60,
    }
    const token = String((await call(`${url}/_control/tokens`, 'POST', grant)).json['accessToken'])
    await meanings[meaning]!(createSend(url), token)
    const text = await (await fetch(`${url}/_control/recordings/current`)).text()
    expect(text).not.toContain(token)
    expect(await replayText(text)).toMatchObject({ same: true })
  },
)
