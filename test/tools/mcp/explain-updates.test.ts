import { afterAll, beforeAll, expect, test } from 'vitest'
import { startVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { explainCall } from '../../../src/tools/mcp/explain/explain.ts'
import { openWednesday } from './explained-calls.ts'

let cloud: VendorCloud
beforeAll(async () => {
  cloud = await startVendorCloud({ seed: 'explain-updates' })
})
afterAll(() => cloud.stop())

test('an update without a body, or without its filters, is mended by the example', async () => {
  const world = await openWednesday(cloud)
  const headers = { authorization: 'Bearer token-home', 'content-type': 'application/json' }
  const draft = { subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }
  const made = await world.fetch('/subscriptions', { method: 'POST', headers, body: JSON.stringify(draft) })
  const { subscriptionId } = (await made.json()) as { subscriptionId: string }
  for (const body of [undefined, {}]) {
    const explained = await explainCall(world, { operation: 'updateSubscription', params: { subscriptionId }, body })
    expect(explained).toMatchObject({ status: 400, nearest: { status: 200, call: { body: draft } } })
    expect(JSON.stringify(explained)).not.toContain('](')
  }
})
