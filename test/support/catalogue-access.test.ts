import { describe, expect, test } from 'vitest'
import { asApp, asErin, asGuest, asWeb, buildTestApp } from '../helpers/build-test-app.ts'
import { findingsOf } from '../helpers/dealer-portal.ts'

/** Operations that answer without a dealer's customers or a place to book: number, scope, method, path. */
const operations = [
  [1, 'identified', 'GET', '/contact/reason'],
  [2, 'identified', 'GET', '/contact/reason/fields?reasonId=OTHER'],
  [3, 'guest', 'POST', '/cti/guest/token'],
  [4, 'identified', 'POST', '/customerFeedback'],
  [18, 'dealer', 'GET', '/dealer/symptom?subType=TV'],
  [21, 'dealer', 'GET', '/dealer/troubleshooting?modelCode=VM-TV55'],
  [22, 'guest', 'POST', '/guest/customerFeedback'],
  [23, 'guest', 'POST', '/guest/product/validation?prdId=490154203237518&modelCode=VM-S100'],
  [24, 'guest', 'GET', '/guest/product/validation/490154203237518'],
  [27, 'guest', 'GET', '/guest/symptom?subType=TV'],
  [28, 'guest', 'GET', '/guest/symptom/changeColor'],
  [29, 'guest', 'GET', '/guest/troubleshooting?modelCode=VM-TV55'],
] as const

describe.each(operations)('operation %i', (_, scope, method, path) => {
  const call = (headers: Record<string, string>) =>
    buildTestApp().app.inject({
      method,
      url: `/stg/us${path}`,
      headers,
      ...(path.endsWith('Feedback') && { payload: { rating: 4, comment: 'Fine' } }),
    })

  test('answers 400 for a request-source that is absent or unknown', async () => {
    for (const headers of [{ 'vendorus-profId': 'web-alice' }, { ...asWeb('web-alice'), 'request-source': 'fridge' }]) {
      const reply = await call(headers)
      expect(reply.statusCode).toBe(400)
      expect(findingsOf(reply)).toHaveLength(1)
      expect(findingsOf(reply)[0]).toContain('header.request-source')
    }
  })

  test('answers 401 for an identity that cannot be one', async () => {
    expect((await call(asWeb('not/an/id'))).statusCode).toBe(401)
    expect((await call(asApp('x'.repeat(65)))).statusCode).toBe(401)
  })

  if (scope === 'guest') {
    test('answers 200 with and without an identity', async () => {
      for (const headers of [asGuest(), asWeb('web-alice'), asApp('splus-carol')]) {
        expect((await call(headers)).statusCode).toBe(200)
      }
    })
  } else {
    test('answers 401 without the identity that its request-source takes', async () => {
      expect((await call(asGuest())).statusCode).toBe(401)
      expect((await call({ 'request-source': 'voyager', 'vendorus-profId': 'dealer-erin' })).statusCode).toBe(401)
    })

    test('answers 200 for an identity of its scope', async () => {
      expect((await call(scope === 'dealer' ? asErin() : asWeb('anybody'))).statusCode).toBe(200)
    })
  }

  if (scope === 'dealer') {
    test('answers 403 to a profile without a dealer company', async () => {
      expect((await call(asWeb('web-alice'))).statusCode).toBe(403)
    })
  }
})
