import { expect, test } from 'vitest'
import { openWithChoices } from '../../../helpers/open-with-choices.ts'
import { asWeb } from '../../../helpers/build-test-app.ts'

const headers = asWeb('web-alice')
const slots = '/stg/us/instore/noauth/slots?ascType=X&start=x&end=y'

async function refuse(shape: string, url = slots, more: object = {}) {
  const { app } = await openWithChoices({ 'error-shape': shape })
  const { statusCode, body, headers: got } = await app.inject({ url, headers, ...more })
  return { statusCode, body, type: got['content-type'], id: got['x-request-id'] }
}

test('with error-shape set to envelope, the default, errors are returned in the documented envelope', async () => {
  const { body, type, id } = await refuse('envelope')
  expect(type).toBe('application/json; charset=utf-8')
  expect(JSON.parse(body)).toMatchObject({ requestId: id, error: { code: 'ConstraintViolationError' } })
})

test('with error-shape set to problem, RFC 9457 problem details list all validation errors', async () => {
  const { statusCode, body, type } = await refuse('problem')
  expect(type).toBe('application/problem+json')
  const { errors, ...problem } = JSON.parse(body)
  expect(problem).toEqual({ type: 'about:blank', title: 'Bad Request', status: statusCode, detail: problem.detail })
  expect(errors.length).toBeGreaterThan(1)
  expect(problem.detail).toBe(`the request has ${errors.length} errors, the first: ${errors[0].message}`)
  const text = expect.any(String)
  expect(errors[0]).toEqual({ code: text, message: text, target: text, source: text })
})

test('with error-shape set to spring, errors contain the world time and the documented path', async () => {
  const { app } = await openWithChoices({ 'error-shape': 'spring' })
  await app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: 'a', from: 'default' } })
  const { body, headers: got } = await app.inject({ url: `/w/a${slots}`, headers })
  expect(got['content-type']).toBe('application/json; charset=utf-8')
  const { message, timestamp, ...rest } = JSON.parse(body)
  expect(rest).toEqual({ status: 400, error: 'Bad Request', path: '/stg/us/instore/noauth/slots' })
  expect(Date.parse(timestamp)).toBeGreaterThan(0)
  expect(message.split('; ').length).toBeGreaterThan(1)
})

test('with error-shape set to empty, errors have only a status and no body', async () => {
  expect(await refuse('empty')).toEqual({ statusCode: 400, body: '', type: undefined, id: expect.any(String) })
})

test.each([
  ['/subscriptions/x', {}, 401],
  ['/stg/us/none', {}, 404],
  ['/stg/us/instore', { method: 'PATCH' }, 404],
  ['/stg/us/guest/zipCode', { method: 'PUT' }, 405],
  ['/stg/us/dealer/customers', { method: 'POST', headers: { ...asWeb('dealer-erin'), 'content-type': 'x/y' } }, 400],
])('error-shape applies to document 1, document 2a and unknown paths: %s', async (url, more, status) => {
  const { statusCode, type, body } = await refuse('problem', url, more)
  expect([statusCode, type, JSON.parse(body).status]).toEqual([status, 'application/problem+json', status])
})

test.each([
  ['/wallet/none', '{"resultCode"'],
  ['/_control/none', '{"requestId"'],
  ['/docs/none', '{"requestId"'],
])("error-shape does not apply to the other APIs and to the server's own pages: %s", async (url, start) => {
  expect((await refuse('empty', url)).body).toContain(start)
})

test('error-shape applies to the error response of an injected fault', async () => {
  const { app } = await openWithChoices({ 'error-shape': 'problem' })
  const payload = { match: { operation: 30 }, respond: { status: 404 } }
  await app.inject({ method: 'POST', url: '/_control/faults', payload })
  const reply = await app.inject({ url: '/stg/us/guest/zipCode?zipCode=07660', headers })
  const body = { type: 'about:blank', title: 'Not Found', status: 404, detail: expect.any(String) }
  expect([reply.statusCode, reply.json()]).toEqual([404, body])
})
