import { afterAll, beforeAll, expect, test } from 'vitest'
import { startVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { toCall } from '../../../src/tools/mcp/calls/call.ts'
import { send } from '../../../src/tools/mcp/calls/outcome.ts'
import { explainEntry } from '../../../src/tools/mcp/explain/explain.ts'
import { openWednesday } from './explained-calls.ts'

let cloud: VendorCloud
beforeAll(async () => {
  cloud = await startVendorCloud({ seed: 'explain-secrets' })
})
afterAll(() => cloud.stop())

test.each(['987654321098', '7'])(
  'the secret of a seller that no fixture publishes stands in no explanation, and the call that needs it is told: %s',
  async (secret) => {
    const world = await openWednesday(cloud)
    await world.records.put('sellers', secret, { secret, name: 'a' })
    const terms = { itemID: 'i', period: 'P1M', price: 5, currency: 'USD', country: 'USA' }
    const purchase = { purchaseID: 'purchase-veiled', sellerSecret: secret, ...terms }
    const made = await world.fetch('/_control/purchases', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(purchase),
    })
    expect(made.status).toBe(200)
    const body = { purchaseID: 'purchase-veiled', serviceToken: 'x'.repeat(96) }
    const { entry } = await send(world, toCall({ operation: 'getSubscriptionStatus', body }))
    const explained = await explainEntry(world, entry!.id)
    expect(explained).toMatchObject({ nearest: { status: 200 } })
    const told = { operation: 'createServiceToken', body: { secret: '{{sellerSecret of the purchase}}' } }
    expect(explained.first).toMatchObject([{ call: told }])
    expect(JSON.stringify(explained)).not.toContain('987654321098')
  },
)
