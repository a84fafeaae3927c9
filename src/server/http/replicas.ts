import type { FastifyRequest } from 'fastify'
import { millisecondsOf } from '../../contract/records/duration.ts'
import type { Ports } from '../ports.ts'

/** This operation of document 1 reads by POST. */
const READS: ReadonlySet<unknown> = new Set([23])

type Called = Pick<FastifyRequest, 'ports' | 'notes' | 'method'>

/** Our choice, `replication-lag`: others see writes of document 1 later. */
export function isLate({ ports, notes }: Called): boolean {
  return ports.world.choices['replication-lag'] !== 'PT0S' && typeof notes.route.operation === 'number'
}

/** The call sees what its caller may see by now, while its report sees everything. */
export function runLate<T>(request: Called, run: () => Promise<T>): Promise<T> {
  const { ports, notes, method } = request
  const store = ports.openReplica({
    caller: notes.identity?.userId,
    now: ports.clock.now(),
    lag: millisecondsOf(ports.world.choices['replication-lag']),
    isRead: method === 'GET' || method === 'HEAD' || READS.has(notes.route.operation),
  })
  request.ports = Object.create(ports, { store: { value: store } }) as Ports
  return run().finally(() => {
    request.ports = ports
  })
}
