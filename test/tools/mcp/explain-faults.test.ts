import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FaultDraft, startVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { toCall } from '../../../src/tools/mcp/calls/call.ts'
import { send } from '../../../src/tools/mcp/calls/outcome.ts'
import { explainEntry } from '../../../src/tools/mcp/explain/explain.ts'
import { booking } from '../../helpers/bookings.ts'
import { explainSent, openWednesday, repeat } from './explained-calls.ts'

let cloud: VendorCloud
beforeAll(async () => {
  cloud = await startVendorCloud({ seed: 'explain-faults' })
})
afterAll(() => cloud.stop())

const openWorld = () => openWednesday(cloud)

test('an injected error is explained only by the fault', async () => {
  const world = await openWorld()
  await world.faults.add({ match: { operation: 30 }, respond: { status: 503 }, name: 'away', times: 1 })
  const { reasons, example } = await explainSent(world, { operation: 30, query: { zipCode: '07660' } })
  expect(reasons).toEqual([
    {
      code: 'Fault',
      message: expect.stringContaining('the injected fault away applied'),
      source: 'the tool `inject_fault`',
    },
  ])
  expect(await repeat(world, example!)).toBe(200)
})

test('a closed connection is explained only by the fault that closed it', async () => {
  const world = await openWorld()
  await world.faults.add({ match: { operation: 8 }, respond: { reset: true }, name: 'gone', times: 1 })
  await expect(send(world, toCall({ operation: 8, body: booking }))).rejects.toThrow('cut')
  const [entry] = await world.journal()
  const { reasons, example } = await explainEntry(world, entry!.id)
  expect(reasons).toMatchObject([{ message: expect.stringContaining('the injected fault gone applied') }])
  expect(JSON.stringify(example)).not.toContain('{{')
})

test.each([
  [{ reset: true }, 'lost'],
  [{ cut: 10 }, 'lost'],
  [{ status: 503 }, 'replaced'],
] satisfies [FaultDraft['respond'], string][])(
  'a processed request is explained as processed when the fault %j applied to its response',
  async (respond, effect) => {
    const world = await openWorld()
    await world.faults.add({ match: { operation: 8 }, respond, when: 'after', name: 'gone', times: 1 })
    await send(world, toCall({ operation: 8, body: booking })).catch(() => {})
    const [entry] = await world.journal()
    expect(entry).toMatchObject({ processed: true })
    const message = `the request was processed, and its response was ${effect}: the injected fault gone applied`
    const { refused, reasons, example } = await explainEntry(world, entry!.id)
    expect([refused, reasons, example]).toMatchObject([false, [{ message }], undefined])
  },
)

test('a rejected request is not explained as processed when its response was lost', async () => {
  const world = await openWorld()
  await world.faults.add({ match: { operation: 30 }, respond: { reset: true }, when: 'after' })
  await send(world, toCall({ operation: 30, query: { zipCode: '1' } })).catch(() => {})
  const [entry] = await world.journal()
  expect(entry).not.toHaveProperty('processed')
  expect((await explainEntry(world, entry!.id)).reasons).toMatchObject([{ id: 'document 1, operation 30' }])
})

test('a rejected request that a fault only delayed is explained by the rule it violates', async () => {
  const world = await openWorld()
  await world.faults.add({ match: { operation: 30 }, delayMs: 1 })
  const { reasons } = await explainSent(world, { operation: 30, query: { zipCode: '1' } })
  expect(reasons).toMatchObject([{ id: 'document 1, operation 30' }])
})

test('an explanation shows the identity, but replaces a secret header and omits it from the example', async () => {
  const world = await openWorld()
  const headers = { 'request-source': 'vendor.com', 'vendorus-profId': 'a-stranger', 'x-api-key': 'a-secret' }
  const { call, example } = await explainSent(world, { operation: 30, query: { zipCode: '1' }, headers })
  expect(call.headers).toMatchObject({ 'vendorus-profid': 'a-stranger', 'x-api-key': '{{token:1}}' })
  expect(JSON.stringify([call, example])).not.toContain('a-secret')
  expect(JSON.stringify(example)).not.toContain('{{')
  expect(await repeat(world, example!)).toBe(200)
})

test('an explanation shows the unfilled templates of the client', async () => {
  const world = await openWorld()
  const body = { ...booking, appointmentDate: '{{appointmentDate}}', timeSlot: '{{ time_slot }}' }
  const headers = { 'request-source': 'vendor.com', 'vendorus-profId': '{{profId}}' }
  const unidentified = await explainSent(world, { operation: 8, headers, body })
  expect(unidentified.call.headers).toMatchObject({ 'vendorus-profid': '{{profId}}' })
  const { call } = await explainSent(world, { operation: 8, body })
  expect(call.body).toMatchObject({ appointmentDate: '{{appointmentDate}}', timeSlot: '{{ time_slot }}' })
})

test('an explanation shows no issued secret that a client put into braces', async () => {
  const world = await openWorld()
  const { body } = await send(world, toCall({ operation: 3 }))
  const { token } = body as { token: string }
  const { call } = await explainSent(world, { operation: 30, query: { zipCode: `{{${token}}}` } })
  expect([token.length > 10, JSON.stringify(call).includes(token)]).toEqual([true, false])
})
