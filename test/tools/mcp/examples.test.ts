import { afterAll, beforeAll, expect, test } from 'vitest'
import { startVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { type CallInput, toCall } from '../../../src/tools/mcp/calls/call.ts'
import { type VendorOperation, vendorOperations } from '../../../src/tools/mcp/calls/operations.ts'
import { send } from '../../../src/tools/mcp/calls/outcome.ts'
import { explainEntry } from '../../../src/tools/mcp/explain/explain.ts'
import { connectAgent, overHttp } from '../../helpers/mcp-client.ts'
import { openWednesday, repeat } from './explained-calls.ts'

let cloud: VendorCloud
beforeAll(async () => {
  cloud = await startVendorCloud({ seed: 'examples' })
})
afterAll(() => cloud.stop())

const others: Readonly<Record<string, readonly string[]>> = {
  dealers: ['dealer-frank', 'splus-dealer-sofia'],
  users: ['web-bob', 'splus-carol'],
}

/** A call without inputs, by the default caller and by callers to whom the records of the example do not belong. */
function callsWithoutInput({ operation, path, scope, contract }: VendorOperation): CallInput[] {
  const { params = {} } = contract.example ?? {}
  const bare = { operation, params: /:/.test(path) ? params : {}, ...(contract.body && { body: {} }) }
  const as = Object.keys(params).length > 0 ? [] : (others[scope] ?? [])
  return [bare, ...as.map((name) => ({ ...bare, as: name }))]
}

test('the result of a call that found nothing contains the reason', async () => {
  const { call } = await connectAgent(overHttp(cloud.url))
  const { value } = await call('call', { operation: 34, as: 'web-bob', query: { srid: '1341379346' } })
  const why = [expect.objectContaining({ message: 'the request with this srid belongs to another user' })]
  expect(value).toMatchObject({ status: 204, why })
})

test.each(['default', 'strict'])(
  'the explained example of each operation succeeds in a new world: %s',
  async (name) => {
    const failed: unknown[] = []
    let explained = 0
    for (const operation of vendorOperations.filter(({ contract }) => contract.example?.needs === undefined)) {
      for (const input of callsWithoutInput(operation)) {
        const world = await openWednesday(cloud)
        if (name === 'strict') await world.profile.set(name)
        const { entry, status } = await send(world, toCall(input))
        const { refused, example } = await explainEntry(world, entry!.id)
        const repeated = example ? await repeat(world, example) : status
        if (refused) explained++
        if (repeated !== 200 && repeated !== 201) failed.push({ input, repeated, example })
      }
    }
    expect(failed).toEqual([])
    expect(explained).toBeGreaterThan(30)
  },
)
