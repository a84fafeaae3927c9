import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { rejectUnusableValues } from '../../helpers/open-with-choices.ts'
import { asGuest, asWeb } from '../../helpers/build-test-app.ts'
import { findingsOf, openDealerPortal } from '../../helpers/documents/dealer-portal.ts'
import { newCustomer } from '../../helpers/records.ts'

const BLANK = ' \t\u00a0\u2003 '

test.each([
  ['7', '/dealer/customers', ['firstName', 'lastName', 'address1', 'city']],
  ['8', '/dealer/customers/ticket', ['problemDescription']],
  ['9', '/dealer/customers/ticket/reschedule', ['rescheduleReasonCode']],
  ['13', '/dealer/customers/9100000001', ['firstName', 'lastName', 'address1', 'city']],
  ['22', '/guest/customerFeedback', ['comment']],
  ['33', '/instore/create', ['firstName', 'lastName']],
])('operation %s returns 400 if a required text field contains only white space', async (_, path, fields) => {
  const { app } = await openDealerPortal()
  const payload = Object.fromEntries(fields.map((field) => [field, BLANK]))
  const headers = path.startsWith('/guest') ? asGuest() : asWeb('dealer-tess')
  const reply = await app.inject({ method: 'POST', url: `/stg/us${path}`, headers, payload })
  expect(reply.statusCode).toBe(400)
  expect(findingsOf(reply)).toEqual(expect.arrayContaining(fields.map((field) => `MissingParameter body.${field}`)))
})

test('a text value is stored with its leading and trailing white space', async () => {
  const { post, store } = await openDealerPortal()
  await store.transaction((tx) => tx.customers.put(newCustomer()))
  const reply = await post('/customers/9100000001', { firstName: '  Pat ', address1: ' 12 Main Street\t' })
  expect(reply.json().body).toMatchObject({ firstName: '  Pat ', address1: ' 12 Main Street\t' })
})

test('an emoji counts as two UTF-16 code units in the length of a text', async () => {
  const { app } = await openDealerPortal()
  const headers = asGuest()
  const send = async (count: number) => {
    const payload = { rating: 5, comment: '\u{1f600}'.repeat(count) }
    return (await app.inject({ method: 'POST', url: '/stg/us/guest/customerFeedback', headers, payload })).statusCode
  }
  expect([await send(1000), await send(1001)]).toEqual([200, 400])
})

test('a missing field with a fixed set of values is reported as missing', async () => {
  const { post } = await openDealerPortal()
  const reply = await post('/customers/ticket', {})
  expect(findingsOf(reply)).toEqual(
    expect.arrayContaining(['MissingParameter body.serviceType', 'MissingParameter body.appointmentDate']),
  )
  const { details } = reply.json().error as { details: { message: string; source: string }[] }
  for (const { message, source } of details) {
    expect([message, source]).toEqual([expect.stringMatching(/^body\.\w+ is required$/), 'our choice: required-fields'])
  }
})

test('every length limit of a parameter or field is counted in UTF-16 code units', async () => {
  const { app } = await openDealerPortal()
  await rejectUnusableValues(app)
  const wrong: string[] = []
  let bounds = 0
  for (const { method, path, where, name, most } of await listBounds(app)) {
    bounds++
    const emojis = '\u{1f600}'.repeat(Math.floor(most / 2) + 1)
    const query = where === 'query' ? `?${name}=${encodeURIComponent(emojis)}` : ''
    const url = `${path.replace(/\{\w+\}/, '1000000001')}${query}`
    const headers = { ...asWeb('dealer-tess'), authorization: 'Bearer token-home' }
    const payload = where === 'body' ? { payload: { [name]: emojis } } : {}
    const found = findingsOf(await app.inject({ method, url, headers, ...payload }))
    if (!found.includes(`InvalidLength ${where}.${name}`)) wrong.push(`${method} ${path} ${where}.${name}`)
  }
  expect(wrong).toEqual([])
  expect(bounds).toBeGreaterThan(30)
})

/**
 * Fields that do not accept arbitrary text. An email address cannot contain emojis. For another company's ID, the
 * response is 403. A stream request is rejected because of its key, before other values are checked.
 */
const OTHERWISE = ['email', 'companyId', 'filterRegion']

/** Returns the strings in parameters and bodies of the documents that have a maximum length. */
async function listBounds(app: FastifyInstance) {
  const all = await Promise.all(
    ['support', 'events'].map(async (name) => (await app.inject(`/openapi/${name}.json`)).json()),
  )
  return all.flatMap(({ paths, components }) => {
    const resolve = (schema: Schema) => (schema.$ref ? components.schemas[schema.$ref.split('/').at(-1)!] : schema)
    return Object.entries(paths as Record<string, Record<string, Described>>).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([verb, { parameters = [], requestBody }]) => {
        const body: Schema = resolve(requestBody?.content?.['application/json']?.schema ?? {})
        const fields = [
          ...parameters.map((each) => ({ where: each.in, name: each.name, schema: resolve(each.schema) })),
          ...Object.entries(body.properties ?? {}).map(([name, each]) => ({
            where: 'body',
            name,
            schema: resolve(each),
          })),
        ]
        const method = verb.toUpperCase() as 'GET' | 'POST'
        const bounded = fields.filter(
          ({ schema, where, name }) => schema.maxLength !== undefined && where !== 'path' && !OTHERWISE.includes(name),
        )
        return bounded.map(({ where, name, schema }) => ({ method, path, where, name, most: schema.maxLength! }))
      }),
    )
  })
}

interface Schema {
  $ref?: string
  maxLength?: number
  properties?: Record<string, Schema>
}
interface Described {
  parameters?: { in: string; name: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
