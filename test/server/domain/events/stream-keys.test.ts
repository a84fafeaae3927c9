import { expect, test } from 'vitest'
import { registrationKeyOf } from '../../../../src/server/domain/events/stream-access.ts'
import { isKeptStreamKey, issueStreamKey } from '../../../../src/server/domain/events/stream-keys.ts'
import { ALL } from '../../../helpers/documents/events.ts'
import { buildTestPorts, START } from '../../../helpers/test-ports.ts'

const subscription = {
  user: 'alice-home',
  tokenDigest: 'a'.repeat(64),
  name: 'test',
  version: 1,
  subscriptionFilters: ALL,
  locations: [],
  revision: 1,
  generation: 1,
  createdAt: START,
  usedAt: START,
}

function buildCounted() {
  const ports = buildTestPorts()
  const put = (subscriptionId: string) =>
    ports.store.transaction((tx) => tx.subscriptions.put({ ...subscription, subscriptionId }))
  let derived = 0
  const hmac = (key: string, text: string) => {
    derived++
    return ports.digests.hmac(key, text)
  }
  const counted = { ...ports, digests: { ...ports.digests, hmac } }
  const countDerived = async (work: () => Promise<unknown>) => {
    derived = 0
    await work()
    return derived
  }
  return { ports, put, counted, countDerived }
}

test('the key of a subscription is derived once', async () => {
  const { ports, put, counted, countDerived } = buildCounted()
  await put('one')
  expect(await countDerived(() => issueStreamKey(counted, 'one'))).toBe(1)
  expect(await countDerived(() => issueStreamKey(counted, 'one'))).toBe(0)
  const key = await registrationKeyOf(ports, 'one')
  expect([isKeptStreamKey(ports.journal, key), isKeptStreamKey(ports.journal, 'a'.repeat(32))]).toEqual([true, false])
})

test("a world whose secret was changed knows its subscriptions' new keys, and no old ones", async () => {
  const { ports, put } = buildCounted()
  await put('one')
  const old = await issueStreamKey(ports, 'one')
  await ports.store.transaction((tx) => tx.settings.put({ name: 'secret', value: 'another' }))
  const key = await issueStreamKey(ports, 'one')
  expect(key).toBe(await registrationKeyOf(ports, 'one'))
  expect([old, key].map((each) => isKeptStreamKey(ports.journal, each))).toEqual([false, true])
})
