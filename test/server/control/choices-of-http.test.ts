import { expect, test } from 'vitest'
import { citedRules } from '../../helpers/documents/cited-rules.ts'
import { asWeb } from '../../helpers/build-test-app.ts'
import { openWithChoices } from '../../helpers/open-with-choices.ts'

const headers = asWeb('web-alice')
const ZIP = '/stg/us/guest/zipCode?zipCode=07660'

test.each([
  ['both', 200, 200],
  ['with', 404, 200],
  ['without', 200, 404],
])('with base-path %s, requests return %i without the base path and %i with it', async (value, ...statuses) => {
  const { app } = await openWithChoices({ 'base-path': value })
  const replies = [
    await app.inject({ url: ZIP, headers }),
    await app.inject({ url: `/support-api/stg${ZIP}`, headers }),
  ]
  expect(replies.map(({ statusCode }) => statusCode)).toEqual(statuses)
  for (const reply of replies.filter(({ statusCode }) => statusCode === 404)) {
    expect(citedRules(reply)).toEqual(['our choice: base-path'])
  }
})

test('the 404 message suggests a path with the base path if it is required', async () => {
  const { app } = await openWithChoices({ 'base-path': 'with' })
  const reply = await app.inject({ url: ZIP, headers })
  expect(reply.json().error.message).toContain('the nearest path is /support-api/stg/stg/us/guest/zipCode')
  expect((await app.inject('/cancel')).body).toContain('data-path="support-api/stg/stg"')
  expect((await app.inject('/subscriptions/x')).statusCode).toBe(401)
})
