import type { VendorCloud } from '../../../src/index.ts'
import { createWorldClient, type WorldClient } from '../../../src/tools/control-client/world-client.ts'
import { requireOperation } from '../../../src/tools/mcp/calls/operations.ts'
import { send } from '../../../src/tools/mcp/calls/outcome.ts'
import type { Explanation } from '../../../src/tools/mcp/explain/explanation.ts'

/** A world of its own on a Wednesday, whose clock stands. */
export async function openWednesday(cloud: VendorCloud): Promise<WorldClient> {
  const { name } = await cloud.world({ now: '2026-05-06T12:00:00Z', frozen: true })
  return createWorldClient(cloud.url, { world: name })
}

/** Makes the call that is told in the world itself; gives its status. */
export async function repeat(world: WorldClient, { nearest }: Explanation): Promise<number> {
  const { operation, ...parts } = nearest!.call
  const call = { operation: requireOperation(operation!), params: {}, query: {}, body: undefined, ...parts }
  return (await send(world, call)).status
}
