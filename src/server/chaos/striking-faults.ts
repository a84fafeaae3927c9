import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { drawStrike, type FaultStage, findFaults, strike } from './faults.ts'
import type { Fault } from '#contract/records/control/fault.ts'
import { FAULT_HEADER, type FaultResponse, findKindReply } from '#contract/records/control/fault-response.ts'
import { callerOf, operationOf } from '../http/request-notes.ts'

/** A held request looks this often whether its fault still exists. */
const HELD = 50

/** Delays of earlier faults come before the answer of the first that answers. */
export async function findStriking(
  request: FastifyRequest,
  reply: FastifyReply,
  stage: FaultStage,
): Promise<FaultResponse | undefined> {
  const { ports, notes } = request
  for (const fault of findFaults(ports, stage, toMatched(request))) {
    // A failed reply must not look as if it had gone well.
    if (reply.statusCode >= 400 && findKindReply(fault.respond)) continue
    const struck = await drawStrike(ports, fault)
    // Another request may have used the fault up meanwhile.
    if (!struck || !(await strike(ports, fault))) continue
    notes.faults = [...(notes.faults ?? []), nameOf(fault)]
    if (struck.delay > 0) {
      request.server.reportArrival(request)
      await holdUp(request, fault.faultId, struck.delay)
    }
    if (fault.respond) {
      reply.header(FAULT_HEADER, toHeaderText(nameOf(fault)))
      return fault.respond
    }
  }
  return undefined
}

function nameOf({ name, faultId }: Fault): string {
  return name ?? faultId
}

/** A header takes only printable ASCII. */
function toHeaderText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}

/** Removing the fault releases the requests that it holds; a server that closes answers them at once. */
async function holdUp({ ports, server }: FastifyRequest, faultId: string, delay: number): Promise<void> {
  const isThere = () => ports.faults.list().some((fault) => fault.faultId === faultId)
  let look: NodeJS.Timeout | undefined
  const released = new Promise<void>((resolve) => {
    look = setInterval(() => isThere() || resolve(), HELD)
  })
  const over = wait(delay, undefined, { signal: server.closing, ref: false })
  await Promise.race([over, released])
    .catch(() => server.closing.throwIfAborted())
    .finally(() => clearInterval(look))
}

function toMatched(request: FastifyRequest) {
  const { url, method, headers, body, notes } = request
  const { sent, readMessage } = notes
  const [path = '/', query] = url.split('?', 2)
  const read = typeof sent === 'string' ? readMessage?.(sent) : undefined
  const operation = operationOf(request)
  return { operation, method, path, query, headers, caller: callerOf(request), body: read ?? sent ?? body }
}
