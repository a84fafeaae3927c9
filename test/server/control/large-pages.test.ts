import { expect, test } from 'vitest'
import { buildTestApp } from '../../helpers/build-test-app.ts'

test('a page of large records is sent in chunks and contains the stored records unchanged', async () => {
  const { app, store } = buildTestApp()
  const values = Array.from({ length: 12 }, (_, i) => ({ name: `long-${i}`, value: 'é"x'.repeat(4000 + i) }))
  await store.transaction(async (tx) => {
    for (const value of values) await tx.settings.put(value)
  })
  const list = (query: string) => app.inject(`/_control/records/settings?${query}`)
  const names = values.map(({ name }) => `name=${name}`).join('&')
  const whole = await list(`${names}&limit=100`)
  expect(whole.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8' })
  expect(whole.headers['content-length']).toBeUndefined()
  const byName = values.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  expect(whole.json()).toEqual({ items: byName, totalCount: values.length })

  const short = await list('name=nobody')
  expect([short.headers['content-length'], short.json()]).toEqual(['27', { items: [], totalCount: 0 }])
})

test('DELETE /_control/outbox deletes all emails, even more than 1,000', async () => {
  const { app, store } = buildTestApp()
  const mail = { channel: 'SMS' as const, to: '+12015550143', subject: 'x', text: 'x', links: [] }
  await store.transaction(async (tx) => {
    for (let i = 0; i < 1203; i++) {
      const sentAt = new Date(Date.UTC(2027, 0, 1) + (i % 7) * 1000).toISOString()
      await tx.outbox.put({ ...mail, messageId: `mail-${i}`, sentAt })
    }
  })
  expect((await app.inject({ method: 'DELETE', url: '/_control/outbox' })).statusCode).toBe(204)
  expect(await store.outbox.count()).toBe(0)
})
