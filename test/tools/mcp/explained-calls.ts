import type { VendorCloud } from '../../../src/index.ts'
import { createWorldClient, type WorldClient } from '../../../src/tools/client/world-client.ts'
import { type CallInput, type DisplayedCall, toCall } from '../../../src/tools/mcp/calls/call.ts'
import { requireOperation } from '../../../src/tools/mcp/calls/operations.ts'
import { send } from '../../../src/tools/mcp/calls/outcome.ts'
import { explainEntry, type Explanation } from '../../../src/tools/mcp/explain/explain.ts'

export async function openWednesday(cloud: VendorCloud): Promise<WorldClient> {
  const { name } = await cloud.world({ now: '2026-05-06T12:00:00Z', frozen: true })
  return createWorldClient(cloud.url, { world: name })
}

export async function explainSent(world: WorldClient, call: CallInput): Promise<Explanation> {
  const { entry } = await send(world, toCall(call))
  return explainEntry(world, entry!.id)
}

export async function repeat(world: WorldClient, { operation, ...parts }: DisplayedCall): Promise<number> {
  const call = { operation: requireOperation(operation!), params: {}, query: {}, body: undefined, ...parts }
  return (await send(world, call)).status
}
