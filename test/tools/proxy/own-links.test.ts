import { expect, test } from 'vitest'
import { createOwnLinks } from '../../../src/tools/proxy/own-links.ts'

const OWN = 'https://support.vendor.example'
const answer = (upstream: string, name: string, value: string) =>
  createOwnLinks(new URL(upstream), OWN)!.answered([name, value])[1]

test.each([
  ['location', 'http://up.example/api/base/next', `${OWN}/next`],
  ['location', '/api/base/next', '/next'],
  ['location', '/api/base', '/'],
  ['location', '/api/base?x=1', '/?x=1'],
  ['location', 'next', 'next'],
  ['location', '/api/basement', '/api/basement'],
  ['location', 'http://up.example/other', 'http://up.example/other'],
  ['content-location', 'http://up.example/api/basement/x', 'http://up.example/api/basement/x'],
  ['link', '</api/base/n2>; rel=next, <http://up.example/api/base/n3>', `</n2>; rel=next, <${OWN}/n3>`],
  ['set-cookie', 'sid=1; Path=/api/base; Domain=up.example', 'sid=1; Path=/'],
  ['set-cookie', 'sid=1; path=/api/base/stg; HttpOnly', 'sid=1; path=/stg; HttpOnly'],
  ['set-cookie', 'sid=1; Path=/', 'sid=1; Path=/'],
  ['access-control-allow-origin', 'http://up.example', OWN],
  ['x-other', '/api/base/next', '/api/base/next'],
])('with a base path, the header %s: %s reaches the client as %s', (name, value, expected) => {
  expect(answer('http://up.example/api/base/', name, value)).toBe(expected)
})

test('if the upstream has no base path, relative links and cookie paths are unchanged', () => {
  for (const [name, value] of [
    ['location', '/next'],
    ['location', ''],
    ['set-cookie', 'sid=1; Path=/stg'],
  ] as const) {
    expect(answer('http://up.example', name, value)).toBe(value)
  }
})

test('links to the base path of the upstream lead to the proxy', () => {
  const body = '{"a":"http:\\/\\/up.example\\/api\\/base\\/n","b":"http://up.example/other"}'
  const changed = createOwnLinks(new URL('http://up.example/api/base'), OWN)!.change(Buffer.from(body))
  expect(changed.toString()).toBe(`{"a":"https:\\/\\/support.vendor.example\\/n","b":"http://up.example/other"}`)
})
