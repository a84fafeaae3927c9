import { afterAll, expect, test } from 'vitest'
import { asApp, asGuest, asWeb, listen, makeTestApp } from '../helpers/build-test-app.ts'
import { readReply, sendRaw } from '../helpers/raw-request.ts'

const path = '/stg/us/instore/checkmobile'
const { app, close } = makeTestApp()
const address = await listen(app)
afterAll(close)

async function ask(headers: Record<string, string>) {
  const reply = await app.inject({ url: path, headers })
  return reply.statusCode === 200 ? reply.json().exist : reply.statusCode
}

// web-alice has a mobile number, web-bob has none.
test('the cookie vendorus-profId says who calls from the web site, also against the header', async () => {
  expect(await ask({ ...asGuest(), cookie: 'a=b; vendorus-profId=web-alice' })).toBe(true)
  expect(await ask({ ...asWeb('web-alice'), cookie: 'vendorus-profId=web-bob; c=d' })).toBe(false)
})

test('an empty cookie counts as absent, beside the header and beside another cookie', async () => {
  expect(await ask({ ...asWeb('web-alice'), cookie: 'vendorus-profId=' })).toBe(true)
  expect(await ask({ ...asGuest(), cookie: 'vendorus-profId=; vendorus-profId=web-alice' })).toBe(true)
  expect(await ask({ ...asGuest(), cookie: 'vendorus-profId=' })).toBe(401)
})

test('two different cookies of that name are 400, two equal ones are one', async () => {
  expect(await ask({ ...asGuest(), cookie: 'vendorus-profId=web-alice; vendorus-profId=web-bob' })).toBe(400)
  expect(await ask({ ...asGuest(), cookie: 'vendorus-profId=web-bob; vendorus-profId=web-bob' })).toBe(false)
})

test('a cookie says nothing about an app, whatever it holds', async () => {
  const cookie = 'vendorus-profId=a; vendorus-profId=b'
  expect(await ask({ ...asApp('splus-carol'), cookie })).toBe(true)
  expect(await ask({ 'request-source': 'splus', cookie: 'vendorus-profId=web-alice' })).toBe(401)
})

test('a malformed identity is 401, of 64 characters at the most, from a cookie too', async () => {
  for (const value of ['web alice', 'web/alice', 'ü', 'a'.repeat(65)]) expect(await ask(asWeb(value))).toBe(401)
  expect(await ask({ ...asWeb('web-alice'), cookie: 'vendorus-profId=web+alice' })).toBe(401)
  expect(await ask(asWeb('a'.repeat(64)))).toBe(404)
})

test('the GUID of a web request and the profile id of an app do not count', async () => {
  expect(await ask({ 'request-source': 'vendor.com', 'vendorus-GUID': 'splus-carol' })).toBe(401)
  expect(await ask({ 'request-source': 'voyager', 'vendorus-profId': 'web-alice' })).toBe(401)
})

test.each([
  ['request-source', 'vendor.com', { 'vendorus-profId': 'web-alice' }],
  ['vendorus-profId', 'web-alice', { 'request-source': 'vendor.com' }],
  ['vendorus-GUID', 'splus-carol', { 'request-source': 'splus' }],
])('the header %s given twice is 400', async (name, value, others) => {
  const lines = [...Object.entries(others), [name, value], [name.toLowerCase(), value]]
  const head = lines.map((line) => `${line.join(': ')}\r\n`).join('')
  const reply = await sendRaw(address, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${head}\r\n`)
  expect(readReply(reply)).toMatchObject({ status: 400, body: { error: { details: [{ code: 'RepeatedParameter' }] } } })
})
