import { expect, test } from 'vitest'
import { asApp, asGuest, buildTestApp } from '../../helpers/build-test-app.ts'
import { START } from '../../helpers/test-ports.ts'

const URL = '/stg/us/cti/guest/token'

test('operation 3 returns 200 with a new token each time', async () => {
  const { app } = buildTestApp()
  const replies = [await app.inject({ method: 'POST', url: URL, headers: asGuest() })]
  replies.push(await app.inject({ method: 'POST', url: URL, headers: asGuest() }))
  for (const reply of replies) {
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({
      token: expect.stringMatching(/^[A-Za-z0-9]{48}$/),
      tokenType: 'Bearer',
      expiresIn: 3600,
      issuedAt: START,
    })
  }
  expect(replies[0]!.json().token).not.toBe(replies[1]!.json().token)
})

test('operation 3 accepts a content type even though the request has no body', async () => {
  const { app } = buildTestApp()
  for (const type of ['application/json', 'text/plain']) {
    const reply = await app.inject({ method: 'POST', url: URL, headers: { ...asGuest(), 'content-type': type } })
    expect(reply.statusCode).toBe(200)
  }
})

test('operation 3 stores the digest of the token and not the token itself', async () => {
  const { app, store, digests } = buildTestApp()
  const { token } = (await app.inject({ method: 'POST', url: URL, headers: asApp('splus-carol') })).json()
  const kept = await store.ctiTokens.find()
  expect(kept).toEqual([
    {
      tokenDigest: digests.sha256(token),
      userId: 'guid:splus-carol',
      issuedAt: START,
      expiresAt: '2026-05-06T17:00:00.000Z',
    },
  ])
})
