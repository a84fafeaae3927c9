import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../../src/cli/run.ts'
import { parseCase } from '../../../src/contract/files/case.ts'
import { toHttpArchive } from '../../../src/tools/cases/view/http-archive.ts'
import { startEvents, ALL, LIGHT } from '../../helpers/documents/events.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const at = '2026-05-06T16:00:00.000Z'
const base64 = (text: string) => Buffer.from(text).toString('base64')

interface Given {
  url: string
  method?: string
  headers?: { name: string; value: string }[]
  request?: object
  response?: object
  more?: object
}
const entryOf = ({ url, method = 'GET', headers = [], request = {}, response = {}, more = {} }: Given) => ({
  startedDateTime: at,
  time: 12.5,
  request: {
    method,
    url,
    httpVersion: 'h2',
    headers,
    queryString: [],
    cookies: [],
    headersSize: -1,
    bodySize: -1,
    ...request,
  },
  response: { status: 200, statusText: '', headers: [], content: { size: 0, mimeType: '' }, ...response },
  cache: {},
  timings: {},
  ...more,
})

async function fromHar(archive: unknown, ...args: string[]) {
  const folder = makeTemporaryFolder()
  const [file, out] = [join(folder, 'traffic.har'), join(folder, 'case.jsonl')]
  writeFileSync(file, typeof archive === 'string' ? archive : JSON.stringify(archive))
  let [stdout, stderr] = ['', '']
  const code = await runCommand(['case', 'from-har', file, '--out', out, ...args], {
    stdout: { write: (piece) => (stdout += piece) },
    stderr: { write: (piece) => (stderr += piece) },
  })
  const text = existsSync(out) ? readFileSync(out, 'utf8') : ''
  return { code, stdout, stderr, text, ...(text !== '' && { case: parseCase(text) }) }
}

const archiveOf = (...entries: object[]) => ({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries } })
const host = 'https://support.vendor.example'
const here = 'http://localhost:8080/stg/us/guest/zipCode?zipCode=07660'

test('a case made from a browser archive is sorted by time and contains no secrets', async () => {
  const {
    code,
    stderr,
    text,
    case: made,
  } = await fromHar(
    archiveOf(
      entryOf({ url: 'https://fonts.example/a.woff' }),
      entryOf({ url: 'https://fonts.example/b.woff' }),
      entryOf({ url: 'data:image/png;base64,AAAA' }),
      entryOf({
        url: `${host}:443/stg/us/guest/zipCode?zipCode=07660#top`,
        headers: [
          { name: ':authority', value: 'support.vendor.example' },
          { name: 'Request-Source', value: 'vendor.com' },
          { name: 'Accept-Encoding', value: 'br' },
          { name: 'Authorization', value: 'Bearer CANARY-bearer-1' },
        ],
        request: { cookies: [{ name: 'sid', value: 'CANARY-cookie-1' }] },
        response: {
          headers: [
            { name: 'content-encoding', value: 'br' },
            { name: 'set-cookie', value: 'a=CANARY-cookie-2\nb=CANARY-cookie-3' },
          ],
          content: {
            size: 9,
            mimeType: 'application/json',
            text: base64('{"ä":"CANARY-later-1234567890"}'),
            encoding: 'base64',
          },
        },
        more: { startedDateTime: '2026-05-06T18:00:01.000+02:00' },
      }),
      entryOf({
        url: `${host}/login`,
        method: 'POST',
        request: {
          postData: {
            mimeType: 'application/x-www-form-urlencoded',
            params: [{ name: 'password', value: 'CANARY-later-1234567890' }],
          },
        },
        more: { startedDateTime: '2026-05-06T16:00:02.000Z' },
      }),
      entryOf({ url: `${host}/blocked`, response: { status: 0 }, more: { startedDateTime: at } }),
    ),
    '--host',
    'support.vendor.example',
  )
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^Wrote 3 steps to .*; skipped: 3 \(fonts\.example 2, no host 1\)\n$/),
  ])
  expect(text).not.toContain('CANARY')
  expect(text.split('\n')[0]).toContain('"case":2,"origin":"upstream"')
  expect(made!.steps).toEqual([
    { step: 1, at, call: { method: 'GET', path: '/blocked', headers: {} }, reply: {} },
    {
      step: 2,
      at: '2026-05-06T16:00:01.000Z',
      call: {
        method: 'GET',
        path: '/stg/us/guest/zipCode?zipCode=07660',
        headers: {
          'request-source': 'vendor.com',
          authorization: expect.stringMatching(/^Bearer \{\{token:\d+\}\}$/),
          cookie: expect.stringMatching(/^sid=\{\{token:\d+\}\}$/),
        },
      },
      reply: {
        status: 200,
        headers: { 'set-cookie': [expect.stringMatching(/^a=\{\{/), expect.stringMatching(/^b=\{\{/)] },
        body: expect.stringMatching(/^\{"ä":"\{\{token:\d+\}\}"\}$/),
      },
    },
    {
      step: 3,
      at: '2026-05-06T16:00:02.000Z',
      call: {
        method: 'POST',
        path: '/login',
        headers: {},
        body: expect.stringMatching(/^password=\{\{token:\d+\}\}$/),
      },
      reply: { status: 200, headers: {}, body: '' },
    },
  ])
})

test('event streams are read from browser archives and from the response text that proxies store', async () => {
  const content = { mimeType: 'text/event-stream', size: 1 }
  const frames = [
    { time: Date.parse(at) / 1000 + 0.25, eventName: 'CONTROL_EVENT', eventId: '', data: 'welcome' },
    { time: Date.parse(at) / 1000 + 0.5, eventName: 'DEVICE_EVENT', eventId: '1-1', data: '{"a":1}' },
  ]
  const stream = 'event: CONTROL_EVENT\ndata: welcome\n\n: beat\nevent: DEVICE_EVENT\ndata: {"a":1}\nid: 1-1\n\n'
  for (const more of [{ _eventStreamMessages: frames }, {}]) {
    const text = '_eventStreamMessages' in more ? {} : { text: stream }
    const url = `${host}/filters/S1/activate?key=CANARY-key-1`
    const { case: made } = await fromHar(
      archiveOf(
        entryOf({ url, response: { content: { ...content, ...text } }, more }),
        entryOf({ url: `${host}/stg/us/x` }),
      ),
      '--host',
      'support.vendor.example=support,events',
    )
    expect(made!.steps).toMatchObject([
      { call: { path: '/filters/S1/activate?key={{token:1}}' }, reply: { status: 200, body: '' } },
      { call: { path: '/stg/us/x' } },
      { frame: { subscriptionId: 'S1', event: 'CONTROL_EVENT', data: 'welcome' } },
      { frame: { subscriptionId: 'S1', event: 'DEVICE_EVENT', id: '1-1', data: { a: 1 } } },
    ])
  }
})

test('without --host, a case contains only vendor calls to the local machine', async () => {
  const { case: made, stderr } = await fromHar(
    archiveOf(
      entryOf({ url: 'http://localhost:8080/w/demo/stg/us/guest/zipCode?zipCode=1', response: { status: 400 } }),
      entryOf({ url: 'http://127.0.0.1:9/stg/us/a' }),
      entryOf({ url: 'http://localhost:8080/_control/status' }),
      entryOf({ url: 'http://localhost:8080/w/demo/_control/status' }),
      entryOf({ url: `${host}/stg/us/b` }),
    ),
  )
  expect(made!.steps).toMatchObject([
    { call: { path: '/stg/us/guest/zipCode?zipCode=1' } },
    { call: { path: '/stg/us/a' } },
  ])
  expect(stderr).toContain('skipped: 3 (localhost 2, support.vendor.example 1)')
})

test('a case made from a journal archive has all calls and frames in order', async () => {
  const { address, stream, emit } = await startEvents()
  const { reader } = await stream(ALL, { name: 'größer' })
  for (const value of ['on', 'off']) await emit(LIGHT, value)
  await reader.take(2)
  const headers = { 'request-source': 'vendor.com', 'vendorus-profid': 'web-alice', 'content-type': 'application/json' }
  const body = '{"rating":5,"comment":"größer"}'
  await fetch(`${address}/stg/us/customerFeedback`, { method: 'POST', headers, body })
  const archive = await (await fetch(`${address}/_control/journal?format=har`)).json()
  const { case: made } = await fromHar(archive)
  expect(
    made!.steps.map((step) => ('call' in step ? step.call.method : 'frame' in step ? step.frame.event : '')),
  ).toEqual(['POST', 'GET', 'POST', 'CONTROL_EVENT', 'DEVICE_EVENT', 'DEVICE_EVENT'])
  expect(made!.steps[2]).toMatchObject({ call: { body }, reply: { status: 200 } })
})

const posted = (postData: object, headers: Given['headers'] = []) =>
  entryOf({ url: here, method: 'POST', headers, request: { postData } })
const { response: _, ...unanswered } = entryOf({ url: here })
const message = { time: at, data: 'x' }

test.each([
  ['no response', unanswered],
  ['startedDateTime: must be a timestamp', entryOf({ url: here, more: { startedDateTime: '2026-05-06T16:00:00' } })],
  ['_eventStreamMessages.time: Invalid', entryOf({ url: here, more: { _eventStreamMessages: [message] } })],
  [
    'time: must be from 2000-01-01 to 9000-12-31',
    { ...entryOf({ url: here }), startedDateTime: '9999-12-31T23:59:59Z' },
  ],
  [
    'time: must be from 2000-01-01 to 9000-12-31',
    { ...entryOf({ url: here }), startedDateTime: '1970-01-01T00:00:00Z' },
  ],
  ['time: no instant', entryOf({ url: here, more: { _eventStreamMessages: [{ time: 1e300 }] } })],
  ['response.status: Invalid', entryOf({ url: here, response: { status: '200' } })],
  ['response.status: Invalid', entryOf({ url: here, response: { status: 200.5 } })],
  ['request: Invalid', { request: 'GET /' }],
  ['entry: Invalid', []],
  ['request.method: CONNECT', entryOf({ url: here, method: 'CONNECT' })],
  ['request.method: an invalid method name', entryOf({ url: here, method: 'G T' })],
  ['request.url: characters', entryOf({ url: `${here} 1` })],
  ['request.headers: an invalid header name', entryOf({ url: here, headers: [{ name: 'a b', value: '' }] })],
  ['request.headers: a value', entryOf({ url: here, headers: [{ name: 'x', value: 'a\rb' }] })],
  ['request.postData: no base64', posted({ text: '&&&', encoding: 'base64' })],
  ['request.postData: unknown encoding', posted({ text: 'a', encoding: 'rot13' })],
  ['response.content: no base64', entryOf({ url: here, response: { content: { text: 'a', encoding: 'base64' } } })],
  ['response.content: unknown encoding', entryOf({ url: here, response: { content: { text: 'a', encoding: 'x' } } })],
  ['request.postData: a form without a boundary', posted({ mimeType: 'multipart/form-data', params: [{ name: 'a' }] })],
  [
    'request.postData: a form without the content of its file',
    posted({ mimeType: 'multipart/form-data; boundary=b', params: [{ name: 'a', fileName: 'a.png' }] }),
  ],
  [
    'request.postData: parameters that are not part of a form',
    posted({ mimeType: 'text/plain', params: [{ name: 'a', value: 'b' }] }),
  ],
])('an entry that cannot become a call is skipped and its reason is reported: %s', async (reason, entry) => {
  const { code, stderr, case: made } = await fromHar(archiveOf(entry, entryOf({ url: here })))
  expect([code, stderr, made!.steps.length]).toEqual([0, expect.stringContaining(`; skipped: 1 (${reason}`), 1])
})

test('an archive with unusual time zones, header values and form types is converted', async () => {
  const headers = [
    { name: 'x', value: 'a\r\nb' },
    { name: 'Upgrade', value: 'h2c' },
    { name: 'content-type', value: 'multipart/form-data; boundary="b 1"' },
  ]
  const params = [
    { name: 'a"', value: 'größer' },
    { name: 'f', value: '[1]', fileName: 'f.json', contentType: 'application/json' },
  ]
  const entry = posted({ mimeType: 'multipart/form-data', params }, headers)
  const { case: made } = await fromHar(archiveOf({ ...entry, startedDateTime: '2026-05-06T18:00:00.000+0200' }))
  const body = [
    '--b 1\r\nContent-Disposition: form-data; name="a%22"\r\n\r\ngrößer\r\n',
    '--b 1\r\nContent-Disposition: form-data; name="f"; filename="f.json"\r\nContent-Type: application/json\r\n\r\n[1]\r\n',
    '--b 1--\r\n',
  ].join('')
  const sent = { x: ['a', 'b'], 'content-type': headers[2]!.value }
  expect(made!.steps).toMatchObject([{ at, call: { method: 'POST', headers: sent, body } }])
  expect(made!.steps[0]).not.toHaveProperty('call.headers.upgrade')
})

test.each([
  ['not JSON', '<html>', 'is not an HTTP Archive: invalid JSON'],
  ['an object without entries', { log: {} }, 'is not an HTTP Archive: log.entries is required'],
  ['a JSON list', [], 'is not an HTTP Archive: it must be an object'],
  [
    'made of entries without a valid time',
    archiveOf({ ...entryOf({ url: here }), startedDateTime: 'then' }),
    'skipped: 1 (startedDateTime: ',
  ],
  ['empty', archiveOf(), 'the archive has no entries'],
  [
    'made only of entries for other hosts',
    archiveOf(entryOf({ url: host })),
    'Use --host support.vendor.example to select a host',
  ],
])('an archive that is %s is rejected with exit code 2', async (_, archive, message) => {
  const { code, stderr, text } = await fromHar(archive)
  expect([code, stderr, text]).toEqual([2, expect.stringContaining(message), ''])
})

test('conversion to an archive and back preserves the bytes of an uploaded file', async () => {
  const head =
    '--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
  const field = '--b\r\nContent-Disposition: form-data; name="note"\r\n\r\ngrößer\r\n'
  const bytes = Buffer.concat([
    Buffer.from(field + head),
    Buffer.from([137, 80, 255, 0, 13, 10]),
    Buffer.from('\r\n--b--\r\n'),
  ])
  const call = {
    method: 'POST',
    path: '/stg/us/guest/symptom/image',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: { base64: bytes.toString('base64') },
  }
  const steps = [{ step: 1, at, call, reply: { status: 200, headers: {}, body: '' } }]
  const about = { version: '1', world: 'w', start: at, notes: [] }
  const archive = JSON.parse(toHttpArchive({ about, steps, played: {} }))
  expect(archive.log.entries[0].request.postData).toEqual({
    mimeType: 'multipart/form-data; boundary=b',
    params: [
      { name: 'note', value: 'größer' },
      { name: 'image', fileName: 'a.png', contentType: 'image/png', value: 'iVD/AA0K', encoding: 'base64' },
    ],
  })
  const { case: made } = await fromHar(archive)
  expect(made!.steps).toEqual(steps)
})
