import { expect, test } from 'vitest'
import { registrationKeyOf } from '../../../../src/server/domain/events/stream-access.ts'
import { findStreamKeys, issueStreamKey } from '../../../../src/server/domain/events/stream-keys.ts'
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

const TRACE = '0123456789abcdef0123456789abcdef'

test('the key of a subscription is derived once, however often words of its form are looked up', async () => {
  const { ports, put, counted, countDerived } = buildCounted()
  const lookUp = () => findStreamKeys(counted, new Set([TRACE]))
  await put('one')
  await put('two')
  expect(await countDerived(lookUp)).toBe(2)
  expect(await countDerived(lookUp)).toBe(0)
  await put('three')
  expect(await countDerived(lookUp)).toBe(1)
  const key = await registrationKeyOf(ports, 'three')
  expect(await findStreamKeys(counted, new Set([TRACE, key]))).toEqual([key])
})

test("a world whose secret was changed knows its subscriptions' new keys, and no old ones", async () => {
  const { ports, put } = buildCounted()
  await put('one')
  const old = await issueStreamKey(ports, 'one')
  await ports.store.transaction((tx) => tx.settings.put({ name: 'secret', value: 'another' }))
  const key = await issueStreamKey(ports, 'one')
  expect(key).toBe(await registrationKeyOf(ports, 'one'))
  expect(await findStreamKeys(ports, new Set([old, key]))).toEqual([key])
})
