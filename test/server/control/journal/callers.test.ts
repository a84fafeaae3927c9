import { expect, test } from 'vitest'
import { asGuest, asWeb, buildTestApp } from '../../../helpers/build-test-app.ts'

async function openJournal() {
  const { app } = buildTestApp()
  const ask = async (url: string, headers = {}) => void (await app.inject({ url, headers }))
  await ask('/stg/us/guest/zipCode?zipCode=07660', asGuest())
  await ask('/stg/us/guest/zipCode?zipCode=07660', asWeb('web-alice'))
  await ask('/stg/us/guest/zipCode?zipCode=07660', asWeb('a-stranger'))
  await ask('/stg/us/dealer/tickets', asWeb('dealer-erin'))
  await ask('/subscriptions/x', { authorization: 'Bearer token-home' })
  const list = async (caller: string) => {
    const reply = await app.inject(`/_control/journal?caller=${caller}`)
    return {
      status: reply.statusCode,
      ...(reply.json() as { entries?: { id: number }[]; error?: { message: string } }),
    }
  }
  return { app, list }
}

test.each([
  ['guest', [1]],
  ['user', [3, 2]],
  ['dealer', [4]],
  ['other', [5]],
  ['web-alice', [2]],
  ['a-stranger', [3]],
  ['alice-home', [5]],
  ['web-bob', []],
])('the caller filter %s of the journal finds the requests %j', async (caller, ids) => {
  const { list } = await openJournal()
  expect((await list(caller)).entries?.map(({ id }) => id)).toEqual(ids)
})

test.each([
  ['web-alic', 'web-alice'],
  ['a-strange', 'a-stranger'],
  ['dealers', 'dealer'],
])('a journal query for the unknown caller %s returns 400 with the nearest: %s', async (caller, nearest) => {
  const { list } = await openJournal()
  const { status, error } = await list(caller)
  expect([status, error?.message]).toEqual([
    400,
    `query.caller ${caller} is not a caller of this world or in its journal; the nearest is ${nearest}`,
  ])
})

test('a verification and a fault accept a type of caller', async () => {
  const { app } = await openJournal()
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url: `/_control/${url}`, payload })
  expect((await post('journal/verify', { match: { caller: 'user' }, count: 2 })).json()).toMatchObject({
    matched: true,
  })
  await post('faults', { match: { caller: 'guest' }, respond: { status: 503 } })
  const statusFor = async (headers: Record<string, string>) =>
    (await app.inject({ url: '/stg/us/guest/zipCode?zipCode=07660', headers })).statusCode
  expect([await statusFor(asGuest()), await statusFor(asWeb('web-alice'))]).toEqual([503, 200])
})
