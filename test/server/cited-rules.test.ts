import { expect, test } from 'vitest'
import { asErin, asGuest, asWeb, buildTestApp } from '../helpers/build-test-app.ts'
import { citedRules } from '../helpers/documents/cited-rules.ts'
import { multipartType, newForm } from '../helpers/documents/multipart.ts'
import { call } from '../helpers/documents/soap.ts'
import { rejectUnusableValues } from '../helpers/open-with-choices.ts'

test.each([
  ['dealer/schedule?zipCode=00000', 'schedule not found', 'document 1, operations 16 and 25'],
  ['guest/schedule?zipCode=00000', 'schedule not found', 'document 1, operations 16 and 25'],
  ['guest/product/validation/0TV55ZZZ99Z', 'device not found', 'document 1, operation 24'],
  ['instore/checkmobile', 'user not found', 'document 1, section 7'],
] as const)('a 404 for %s has the documented message and cites its rule', async (path, message, rule) => {
  const { app } = buildTestApp()
  const headers = path.startsWith('dealer') ? asErin() : asWeb('nobody')
  const reply = await app.inject({ url: `/stg/us/${path}`, headers })
  expect([reply.statusCode, reply.json().error]).toMatchObject([404, { code: 'NotFoundError', message }])
  expect(citedRules(reply)).toEqual([rule])
})

test('a 400 response summarizes its validation errors and lists each with its rule', async () => {
  const { app } = buildTestApp()
  const request = { method: 'POST', url: '/stg/us/dealer/customers/ticket', headers: asErin(), payload: {} } as const
  const reply = await app.inject(request)
  const { message, details } = reply.json().error
  expect(details.length).toBeGreaterThan(3)
  expect(message).toBe(`the request has ${details.length} errors, the first: ${details[0].message}`)
  for (const { source } of details) expect(source).toMatch(/^(our choice: |document 1)/)
  expect(reply.headers).not.toHaveProperty('x-vendor-cloud-rule')
})

test('a 400 response with only one validation error has the message of that error', async () => {
  const { app } = buildTestApp()
  const reply = await app.inject({ url: '/stg/us/guest/zipCode', headers: {} })
  const message = 'header.request-source is required: one of vendor.com, splus, voyager'
  expect(reply.json().error).toMatchObject({ message, details: [{ message }] })
})

test('the response to a rejected HEAD request cites the violated rule in a header', async () => {
  const { app } = buildTestApp()
  const reply = await app.inject({ method: 'HEAD', url: '/stg/us/guest/zipCode?zipCode=7', headers: asGuest() })
  expect([reply.statusCode, reply.headers['x-vendor-cloud-rule']]).toEqual([400, 'document 1, operation 30'])
})

const envelope = call('createServiceToken', { secret: '000000000001' })
test.each([
  ['wallet', { url: '/wallet/cmn/v2.0/device/available' }, 400, 'document 2, section 7'],
  ['a request to an unknown wallet path', { url: '/wallet/nothing' }, 404, 'our choice: further-statuses'],
  ['a SOAP fault', { method: 'POST', url: '/iap/ws/RTCService', payload: envelope }, 500, 'document 3, section 7'],
  [
    'a PUT request to the SOAP address',
    { method: 'PUT', url: '/iap/ws/RTCService' },
    405,
    'our choice: soap-http-errors',
  ],
  [
    'a control API request for an unknown fault',
    { method: 'DELETE', url: '/_control/faults/nope' },
    404,
    'our choice: control-refusals',
  ],
  ['a request to an unknown path', { url: '/nothing' }, 404, 'our choice: further-statuses'],
] as const)('an error response without details cites its rule in a header: %s', async (_, request, status, rule) => {
  const { app } = buildTestApp()
  const reply = await app.inject({ ...request, headers: { 'content-type': 'text/xml' } })
  expect([reply.statusCode, reply.headers['x-vendor-cloud-rule']]).toEqual([status, rule])
  expect(reply.payload).not.toMatch(/our choice|document \d/)
})

test('responses in error formats without a rule field cite the rule in a header', async () => {
  const { app } = buildTestApp()
  for (const [shape, header] of [
    ['spring', 'our choice: required-bodies'],
    ['empty', 'our choice: required-bodies'],
    ['problem', undefined],
  ]) {
    const payload = { profile: 'own', choices: { 'error-shape': shape } }
    expect((await app.inject({ method: 'PUT', url: '/_control/profile', payload })).statusCode).toBe(200)
    const reply = await app.inject({ url: '/stg/us/guest/zipCode', headers: asGuest() })
    expect([shape, reply.headers['x-vendor-cloud-rule']]).toEqual([shape, header])
    if (shape === 'problem') expect(reply.json().errors).toMatchObject([{ source: 'our choice: required-bodies' }])
  }
})

test('a response from an injected fault cites no rule', async () => {
  const { app } = buildTestApp()
  const payload = { match: { operation: 30 }, respond: { status: 404 } }
  await app.inject({ method: 'POST', url: '/_control/faults', payload })
  const reply = await app.inject({ url: '/stg/us/guest/zipCode?zipCode=07660', headers: asGuest() })
  expect([reply.statusCode, citedRules(reply)]).toEqual([404, []])
})

const image = 'guest/serviceRequest/asset/symptomImage?srid=1341379346'
const television = { modelCode: 'VM-TV55', serviceType: 'IH' }
const get = (path: string) => ({ method: 'GET', path, payload: undefined }) as const
const post = (path: string, payload?: object) => ({ method: 'POST', path, payload }) as const
const formWith = (name: string, content = 'x') => newForm([{ name, fileName: 'a.png', content }])

test.each([
  [4, 'no body', post('customerFeedback'), 'required-bodies'],
  [
    14,
    'a malformed serial number',
    post('dealer/customers/1000000001/products', { ...television, serialNumber: '!' }),
    'device-id-form',
  ],
  [17, 'an unknown name in fields', get('dealer/stores?fields=nope'), 'store-list'],
  [17, 'a page number of 0', get('dealer/stores?pageNo=0'), 'paging'],
  [22, 'a rating of 9', post('guest/customerFeedback', { rating: 9, comment: 'x' }), 'feedback'],
  [26, 'a wrong form field', post(image, formWith('photo')), 'image-form'],
  [26, 'an empty file', post(image, formWith('imageFile', '')), 'image-form'],
  [26, 'a form without a file', post(image, newForm([])), 'required-bodies'],
  [29, 'an unknown symptom', get('guest/troubleshooting?modelCode=VM-TV55&symCode1=NOPE'), 'guide-branches'],
  [36, 'an unknown ZIP code', get('instore/noauth/nearest?zipCode=00000'), 'nearest-center'],
  [
    37,
    'an unknown symptom',
    get('instore/noauth/slots?ascType=WALKIN&ascCode=ASC001&symptoms=NOPE'),
    'slot-parameters',
  ],
] as const)('the error of operation %i for %s cites the rule that describes it', async (...row) => {
  const [, , { method, path, payload }, rule] = row
  const { app } = buildTestApp()
  await rejectUnusableValues(app)
  const headers = { ...asErin(), ...(Buffer.isBuffer(payload) && { 'content-type': multipartType }) }
  const reply = await app.inject({ method, url: `/stg/us/${path}`, headers, ...(payload && { payload }) })
  expect(citedRules(reply)).toEqual([`our choice: ${rule}`])
})
