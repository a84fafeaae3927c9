import { expect, test } from 'vitest'
import { draftsOf } from '../../../src/contract/records/control/ready-made.ts'
import { addFault, drawsFault, findFaults } from '../../../src/server/chaos/faults.ts'
import type { Fault } from '../../../src/contract/records/control/fault.ts'
import { nodeDigests } from '../../../src/server/adapters/node/digests.ts'
import { buildTestPorts } from '../../helpers/test-ports.ts'

const DRAWS = 5000

/** Evenly distributed bytes that are the same on every run. */
function createCountedRandom() {
  let drawn = 0
  return { bytes: async () => Buffer.from(nodeDigests.sha256(String(drawn++)), 'hex').subarray(0, 4) }
}

async function chooseDelays(draft: object): Promise<number[]> {
  const random = createCountedRandom()
  const delays: number[] = []
  for (let i = 0; i < DRAWS; i++) delays.push((await drawsFault({ random }, draft as Fault))!.delay)
  return delays.sort((a, b) => a - b)
}

test.each([
  ['of the profile "slow"', draftsOf('slow')[0]!, 300, 2000],
  ['with nearly equal percentiles', { delayMs: { p50: 100, p99: 110 } }, 100, 110],
  ['with a long tail', { delayMs: { p50: 5, p99: 5000 } }, 5, 5000],
])('half of the delays %s are below p50, and one percent are above p99', async (_what, draft, p50, p99) => {
  const delays = await chooseDelays(draft)
  const share = (limit: number) => delays.filter((delay) => delay > limit).length / DRAWS
  // Three standard deviations for this number of samples.
  expect(Math.abs(share(p50) - 0.5)).toBeLessThan(0.0213)
  expect(Math.abs(share(p99) - 0.01)).toBeLessThan(0.0043)
  expect(delays[0]).toBeGreaterThan(0)
})

test('delays with min and max are distributed evenly between these limits', async () => {
  const delays = await chooseDelays({ delayMs: { min: 100, max: 300 } })
  expect([delays[0], delays.at(-1)].map((delay) => Math.round(delay! / 10))).toEqual([10, 30])
  expect(Math.abs(delays.reduce((sum, delay) => sum + delay, 0) / DRAWS - 200)).toBeLessThan(2.5)
})

test('a fault with a probability of 0.3 applies to 30% of the requests', async () => {
  const random = createCountedRandom()
  let hits = 0
  for (let i = 0; i < DRAWS; i++) if (await drawsFault({ random }, { probability: 0.3 } as Fault)) hits++
  expect(Math.abs(hits / DRAWS - 0.3)).toBeLessThan(0.0195)
})

test('a fault with an operation and a body applies only to requests that match both', async () => {
  const ports = buildTestPorts()
  const respond = { status: 503 }
  for (let i = 0; i < 20; i++) await addFault(ports, { match: { operation: 8, body: { rating: i } }, respond })
  const countFound = (request: object) => [...findFaults(ports, 'read', request)].length
  expect(countFound({ operation: 30, body: { rating: 7 } })).toBe(0)
  expect(countFound({ operation: 8, body: { rating: 7 } })).toBe(1)
})

test('faults for one operation and for any operation apply in order of creation', async () => {
  const ports = buildTestPorts()
  const add = (match: object) => addFault(ports, { match, respond: { status: 503 } })
  const find = (request: object) => [...findFaults(ports, 'arrival', request)].map(({ faultId }) => faultId)
  const any = await add({ path: '*' })
  const of8 = await add({ operation: '8' })
  expect(find({ operation: 8, path: '/' })).toEqual([any.faultId, of8.faultId])
  expect(find({ path: '/' })).toEqual([any.faultId])
  const last = await add({ operation: 8, method: 'GET' })
  expect(find({ operation: 8, path: '/', method: 'GET' })).toEqual([any.faultId, of8.faultId, last.faultId])
  ports.faults.delete(of8.faultId)
  expect(find({ operation: 8, path: '/', method: 'GET' })).toEqual([any.faultId, last.faultId])
  ports.faults.clear()
  expect(find({ operation: 8, path: '/', method: 'GET' })).toEqual([])
})
