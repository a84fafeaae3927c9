import { afterAll, beforeAll, expect, test } from 'vitest'
import { startVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { connectAgent, overHttp } from '../../helpers/mcp-client.ts'

let cloud: VendorCloud
beforeAll(async () => {
  cloud = await startVendorCloud({ seed: 'resources' })
})
afterAll(() => cloud.stop())

async function readText(path: string): Promise<string> {
  const { client } = await connectAgent(overHttp(cloud.url))
  const [first] = (await client.readResource({ uri: `vendor-cloud://${path}` })).contents
  return first && 'text' in first ? first.text : ''
}

test('the resource operations lists the inputs of each operation with their permitted values', async () => {
  const text = await readText('operations')
  expect(text.length).toBeLessThan(40_000)
  const operations = new Map((JSON.parse(text) as { operation: unknown }[]).map((each) => [each.operation, each]))
  expect(operations.get(8)).toMatchObject({
    body: {
      properties: {
        serviceType: { enum: ['IH', 'SR'] },
        bpNo: { pattern: '^\\d{10}$' },
        purchaseDate: { format: 'date' },
      },
      required: expect.arrayContaining(['bpNo', 'timeSlot']),
    },
  })
  expect(operations.get(19)).toMatchObject({
    query: { properties: { 'sorts[0].direction': { enum: ['asc', 'desc'] } } },
  })
  expect(operations.get(20)).toMatchObject({ params: { required: ['id'] } })
  expect(operations.get('checkAvailability')).toMatchObject({ headers: { required: ['partnerCode'] } })
})
