import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FaultDraft, startVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { type CallInput, toCall } from '../../../src/tools/mcp/calls/call.ts'
import { send } from '../../../src/tools/mcp/calls/outcome.ts'
import { explainCall, explainEntry } from '../../../src/tools/mcp/explain/explain.ts'
import { booking } from '../../helpers/bookings.ts'
import { openWednesday, repeat } from './explained-calls.ts'

let cloud: VendorCloud
beforeAll(async () => {
  cloud = await startVendorCloud({ seed: 'explain-faults' })
})
afterAll(() => cloud.stop())

const openWorld = () => openWednesday(cloud)

test('a fault is told as one, and the same call passes without it', async () => {
  const world = await openWorld()
  await world.faults.add({ match: { operation: 30 }, respond: { status: 503 }, name: 'away' })
  const { entry } = await send(world, toCall({ operation: 30, query: { zipCode: '07660' } }))
  const { reasons, nearest, told } = await explainEntry(world, entry!.id)
  expect(reasons).toEqual([expect.objectContaining({ message: expect.stringContaining('the fault away struck') })])
  expect(nearest?.changes).toEqual(['the call stays as it is, without the fault'])
  expect(told).toBe('The fault away answered 503, and no rule refused. Without it the call passes (200).')
})

test('behind a fault the rule is told that the call meets without it', async () => {
  const world = await openWorld()
  await world.faults.add({ match: { operation: 30 }, respond: { status: 502, body: '<html>' } })
  const { entry } = await send(world, toCall({ operation: 30, query: { zipCode: '1' } }))
  const { told, reasons, nearest } = await explainEntry(world, entry!.id)
  const [{ faultId } = { faultId: '' }] = (await world.faults.list()).items
  expect(told).toContain(
    `The fault ${faultId} answered 502, and no rule refused. Without it the call meets this: Refused`,
  )
  expect([reasons.length, nearest?.status]).toEqual([2, 200])
})

test('the caller behind a fault is named as assumed, and nothing redacted is proposed', async () => {
  const world = await openWorld()
  const web = { 'request-source': 'vendor.com', 'vendorus-profId': 'a-stranger' }
  const query = { modelName: 'VM-S100', serviceType: 'WALLET' }
  const calls: [CallInput, RegExp][] = [
    [{ operation: 19, headers: web }, /in its place stands vendorus-profid dealer-erin/],
    [{ operation: 'createServiceToken', body: { secret: '123456789012' } }, /secret 123456789012/],
    [{ operation: 'checkAvailability', query, headers: { partnerCode: 'a-stranger' } }, /partnercode/],
    [{ operation: 32, headers: web }, /vendorus-profid web-/],
  ]
  for (const [call, assumed] of calls) {
    await world.faults.add({ match: { operation: call.operation }, respond: { status: 503 }, times: 1 })
    const { entry } = await send(world, toCall(call))
    const explanation = await explainEntry(world, entry!.id)
    expect(explanation.told).toMatch(assumed)
    expect(JSON.stringify(explanation)).not.toContain('redacted')
    expect(explanation.nearest?.changes).toEqual(['the call stays as it is, without the fault'])
    expect(await repeat(world, explanation)).toBeLessThan(400)
  }
})

test('a caller of the fixtures behind a fault is known, and nobody is assumed in the place', async () => {
  const world = await openWorld()
  const wallet = { operation: 'checkAvailability', query: { modelName: 'VM-S100', serviceType: 'WALLET' } }
  for (const call of [{ operation: 19 }, wallet, { operation: 32 }]) {
    await world.faults.add({ match: { operation: call.operation }, respond: { status: 503 }, times: 1 })
    const { entry } = await send(world, toCall(call))
    const explanation = await explainEntry(world, entry!.id)
    expect(explanation.told).not.toContain('in its place')
    expect(JSON.stringify(explanation)).not.toContain('redacted')
    expect(await repeat(world, explanation)).toBeLessThan(400)
  }
})

test('of a body that a fault left unread nothing is made up', async () => {
  const world = await openWorld()
  await world.faults.add({ match: { operation: 8 }, respond: { reset: true }, name: 'gone', times: 1 })
  await expect(send(world, toCall({ operation: 8, body: booking }))).rejects.toThrow('cut')
  const [entry] = await world.journal()
  const { told, nearest } = await explainEntry(world, entry!.id)
  expect(nearest).toBeUndefined()
  expect(told).toContain('The fault gone took the answer away, and no rule refused.')
  expect(told).toContain('the journal has none: explain the call itself (operation 8, with its body)')
})

test('where the work was done before a fault took the answer, that is told', async () => {
  const world = await openWorld()
  await world.faults.add({ match: { operation: 8 }, respond: { reset: true }, when: 'after', name: 'lost' })
  await expect(send(world, toCall({ operation: 8, body: booking }))).rejects.toThrow('cut')
  const [entry] = await world.journal()
  expect((await explainEntry(world, entry!.id)).told).toContain('The work was done before')
})

test('a refusal that a fault only held up is explained by its rule', async () => {
  const world = await openWorld()
  await world.faults.add({ match: { operation: 30 }, delayMs: 1 })
  const { entry } = await send(world, toCall({ operation: 30, query: { zipCode: '1' } }))
  expect((await explainEntry(world, entry!.id)).told).toMatch(/^Refused: /)
})

test('the fault that would strike a call is named before it is made, whatever it answers and when', async () => {
  const call = { operation: 30, query: { zipCode: '07660' } }
  const responses: NonNullable<FaultDraft['respond']>[] = [{ reset: true }, { timeout: true }, { status: 503 }]
  for (const respond of responses) {
    const world = await openWorld()
    await world.faults.add({ match: { operation: 19 }, respond, name: 'elsewhere' })
    await world.faults.add({ match: { operation: 30 }, respond, name: 'away', delayMs: 600_000 })
    const { refused, told, nearest } = await explainCall(world, call)
    expect([refused, nearest?.status, told]).toEqual([
      true,
      200,
      `The fault away would strike it in the world: ${JSON.stringify(respond)}. Without it the call passes (200).`,
    ])
    expect((await world.faults.list()).items.map(({ struck }) => struck)).toEqual([0, 0])
  }
})

test('a fault that is spent or only delays strikes no call that nobody has made', async () => {
  const world = await openWorld()
  await world.faults.add({ match: { operation: 30 }, respond: { status: 503 }, times: 1 })
  const call = { operation: 30, query: { zipCode: '07660' } }
  expect((await explainCall(world, call)).told).toContain('would strike it')
  expect((await send(world, toCall(call))).status).toBe(503)
  await world.faults.add({ match: { operation: 30 }, delayMs: 600_000 })
  expect(await explainCall(world, call)).toMatchObject({ refused: false, status: 200 })
})
