import { expect, test } from 'vitest'
import type { ContactReason } from '../../../src/contract/records/guest/order-help.ts'
import { asApp, asWeb, buildTestApp } from '../../helpers/build-test-app.ts'
import { findingsOf } from '../../helpers/documents/dealer-portal.ts'

const reason: ContactReason = {
  reasonId: 'TEST_REASON',
  reasonName: 'Ask about a test',
  description: 'Only here',
  displayOrder: 0,
  orderRequired: true,
  fields: [
    { fieldName: 'photo', label: 'Photo', type: 'FILE', required: false, displayOrder: 1 },
    { fieldName: 'code', label: 'Code', type: 'TEXT', required: true, maxLength: 8, displayOrder: 2 },
    {
      fieldName: 'topic',
      label: 'Topic',
      type: 'SELECT',
      required: true,
      options: [{ value: 'A', label: 'First' }],
      displayOrder: 3,
    },
  ],
}

async function build() {
  const test = buildTestApp()
  await test.store.transaction((tx) => tx.contactReasons.put(reason))
  const ask = (path: string) => test.app.inject({ url: `/stg/us/contact/reason${path}`, headers: asApp('splus-carol') })
  return { ...test, ask }
}

test('operation 1 returns 200 with every reason in display order, without the form fields', async () => {
  const { ask, store } = await build()
  const reply = await ask('')
  expect(reply.statusCode).toBe(200)
  const { reasons } = reply.json<{ reasons: ContactReason[] }>()
  const { fields: _, ...shown } = reason
  expect(reasons[0]).toEqual(shown)
  expect(reasons).toHaveLength(await store.contactReasons.count())
  expect(reasons.map(({ displayOrder }) => displayOrder)).toEqual(reasons.map((_, i) => i))
})

test('operation 1 ignores undeclared parameters and a content type without a body', async () => {
  const { app } = await build()
  const headers = { ...asWeb('web-bob'), 'content-type': 'application/json' }
  expect((await app.inject({ url: '/stg/us/contact/reason?page=2', headers })).statusCode).toBe(200)
})

test('operation 2 returns 200 with the form fields of the reason', async () => {
  const { ask } = await build()
  const reply = await ask('/fields?reasonId=TEST_REASON')
  expect(reply.statusCode).toBe(200)
  expect(reply.json()).toEqual({ reasonId: 'TEST_REASON', fields: reason.fields })
})

test.each(['', '?reasonId=', '?reasonId=OTHER&reasonId=OTHER'])(
  'operation 2 returns 400 for the query %j',
  async (query) => {
    const { ask } = await build()
    const reply = await ask(`/fields${query}`)
    expect(reply.statusCode).toBe(400)
    expect(findingsOf(reply)).toEqual([`${query.includes('&') ? 'Repeated' : 'Missing'}Parameter query.reasonId`])
  },
)

test('operation 2 returns 404 for an unknown reason', async () => {
  const { ask } = await build()
  expect((await ask('/fields?reasonId=TEST')).statusCode).toBe(404)
})
