import { describe, expect, test } from 'vitest'
import { asApp, asErin, asGuest, asWeb, buildTestApp } from '../../helpers/build-test-app.ts'
import { findingsOf } from '../../helpers/documents/dealer-portal.ts'

/** Operations that need neither a dealer's customers nor a slot: number, scope, method, path. */
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

const inScope = (wanted: string) => operations.filter(([, scope]) => scope === wanted)

function callsOf(method: 'GET' | 'POST', path: string) {
  const { app } = buildTestApp()
  const payload = path.endsWith('Feedback') && { payload: { rating: 4, comment: 'Fine' } }
  return (headers: Record<string, string>) => app.inject({ method, url: `/stg/us${path}`, headers, ...payload })
}

describe.each(operations)('operation %i', (_, _scope, method, path) => {
  test('returns 400 if request-source is missing or unknown', async () => {
    const call = callsOf(method, path)
    for (const headers of [{ 'vendorus-profId': 'web-alice' }, { ...asWeb('web-alice'), 'request-source': 'fridge' }]) {
      const reply = await call(headers)
      expect(reply.statusCode).toBe(400)
      expect(findingsOf(reply)).toEqual([expect.stringContaining('header.request-source')])
    }
  })

  test('returns 401 for a malformed identity', async () => {
    const call = callsOf(method, path)
    expect((await call(asWeb('ü'))).statusCode).toBe(401)
    expect((await call(asApp('x'.repeat(513)))).statusCode).toBe(401)
  })
})

describe.each(inScope('guest'))('operation %i', (_, _scope, method, path) => {
  test('returns 200 with and without an identity', async () => {
    const call = callsOf(method, path)
    for (const headers of [asGuest(), asWeb('web-alice'), asApp('splus-carol')]) {
      expect((await call(headers)).statusCode).toBe(200)
    }
  })
})

describe.each([...inScope('identified'), ...inScope('dealer')])('operation %i', (_, _scope, method, path) => {
  test('returns 401 without the identity that its request-source requires', async () => {
    const call = callsOf(method, path)
    expect((await call(asGuest())).statusCode).toBe(401)
    expect((await call({ 'request-source': 'voyager', 'vendorus-profId': 'dealer-erin' })).statusCode).toBe(401)
  })
})

describe.each(inScope('identified'))('operation %i', (_, _scope, method, path) => {
  test('returns 200 for any identity, even one without a profile', async () => {
    const call = callsOf(method, path)
    for (const headers of [asWeb('web-alice'), asWeb('anybody')]) expect((await call(headers)).statusCode).toBe(200)
  })
})

describe.each(inScope('dealer'))('operation %i', (_, _scope, method, path) => {
  test('returns 200 for a dealer and 403 for a profile without a dealer company', async () => {
    const call = callsOf(method, path)
    expect((await call(asErin())).statusCode).toBe(200)
    expect((await call(asWeb('web-alice'))).statusCode).toBe(403)
  })
})
