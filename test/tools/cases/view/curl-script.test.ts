import { expect, test } from 'vitest'
import type { HttpRequest, HttpResponse } from '../../../../src/contract/exchange.ts'
import type { CaseStep } from '../../../../src/contract/files/case.ts'
import { toCaseView } from '../../../../src/tools/cases/view/case-view.ts'
import { toCurl, toCurlScript } from '../../../../src/tools/cases/view/curl-script.ts'
import { makeHostileCase } from './hostile-case.ts'
import { runScript } from './shell.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for these characters
const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028]/

function toStep(call: Partial<HttpRequest>, reply: HttpResponse = { status: 200 }, step = 1): CaseStep {
  const whole = { method: 'GET', path: '/stg', headers: {}, ...call }
  return { step, at: '2026-05-06T16:00:00.000Z', call: whole, reply }
}

const viewOf = (steps: CaseStep[]) => toCaseView({ ...makeHostileCase(['plain']), steps })

test('a curl command sends the call with the relevant headers and the unchanged body', () => {
  const headers = { host: 'a', 'request-source': "it's", 'sec-fetch-mode': 'cors', 'x-request-id': 'req-1' }
  const body = '{"a": "$HOME `x` \'"}'
  const steps = [toStep({ method: 'PUT', path: '/stg?a=[1]&b={c}', headers, body })]
  const [called] = runScript(toCurlScript(viewOf(steps)))
  const how = ['-sS', '-w', '\\n', '-X', 'PUT', '--globoff', 'http://vendor/stg?a=[1]&b={c}']
  expect(called!.words).toEqual([...how, '-H', "request-source: it's", '-H', 'content-type:', '--data-raw', body])
})

test('the comments of a script explain the script, its steps and its variables', () => {
  const script = toCurlScript(viewOf([toStep({ headers: { authorization: 'Bearer {{token:1}}' } }, { status: 404 })]))
  expect(script).toMatch(
    /^#!\/bin\/sh\n# Sends the requests of .* again, which vendor-cloud recorded from 2026-\S+ on\.\n/,
  )
  expect(script).toContain('# Step 1, 2026-05-06T16:00:00.000Z: GET /stg, recorded response: 404\n')
  expect(script).toContain('${TOKEN_1:?set it to a secret that the case does not contain}')
})

test('control characters are percent-encoded in paths and headers and sent unchanged in bodies', () => {
  const body = 'a\u0000\u001b\n\t\\0101%s\u202e\u009bé'
  const step = toStep({ method: 'POST', path: '/a\nb\u202e c', headers: { 'x-a': '\u001b[31m' }, body })
  expect(toCurl(step)).not.toMatch(STEERING)
  const [called] = runScript(toCurlScript(viewOf([step])))
  expect(called!.words).toEqual(expect.arrayContaining(['http://vendor/a%0Ab%E2%80%AE%20c', 'x-a: %1B[31m', '@-']))
  expect(called!.body).toBe(body)
})

test('a script requires a variable for each secret that no earlier response contains', () => {
  const bearer = (n: number) => toStep({ headers: { authorization: `Bearer {{token:${n}}}` } })
  const issued = toStep({ method: 'POST' }, { status: 200, body: '{"accessToken":"{{token:2}}","a":1}' })
  const script = toCurlScript(viewOf([bearer(1), issued, bearer(2)]))
  expect(script).toContain('${TOKEN_1:?')
  expect(script).not.toContain('${TOKEN_2:?')
  expect(script).toContain('authorization: Bearer \'"$TOKEN_2"')
  const lines = script.split('\n')
  const at = lines.indexOf('reply=$(curl -sS -X POST "$VENDOR_CLOUD_URL"\'/stg\')')
  expect(lines[at + 2]).toMatch(/^TOKEN_2=/)
})

test('control sequences in a case are never written to the script', () => {
  expect(toCurlScript(viewOf(makeHostileCase().steps))).not.toMatch(STEERING)
  expect(toCurlScript(toCaseView(makeHostileCase()), 1)).not.toMatch(STEERING)
})

test('a script for a given step number contains only that step', () => {
  const view = viewOf([toStep({ path: '/a' }), toStep({ path: '/b' }, {}, 2)])
  expect(toCurlScript(view, 2)).toContain("'/b'")
  expect(toCurlScript(view, 2)).not.toContain("'/a'")
})
