import { type Fault, isSpent } from '../../../contract/records/control/fault.ts'
import type { WorldClient } from '../../control-client/world-client.ts'
import type { Call } from '../calls/call.ts'
import { send } from '../calls/outcome.ts'

/**
 * The fork gets faults of the same matches that answer at once: nobody has to wait for a timeout, and the work behind a
 * lost answer is not done.
 */
export async function findStriking(world: WorldClient, fork: WorldClient, call: Call): Promise<Fault | undefined> {
  const { items } = await world.faults.list()
  const answering = items.filter((fault) => fault.respond !== undefined && fault.probability !== 0 && !isSpent(fault))
  await fork.faults.clear()
  if (answering.length === 0) return undefined
  for (const [index, { match, from, until }] of answering.entries()) {
    const window = { ...(from !== undefined && { from }), ...(until !== undefined && { until }) }
    await fork.faults.add({ match, ...window, respond: { status: 503 }, name: String(index) })
  }
  const { entry } = await send(fork, call, { forMs: 300 })
  await fork.faults.clear()
  const [index] = entry?.faults ?? []
  return answering[Number(index)]
}
