import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../domain/errors.ts'
import type { Fault, FaultResponse } from '../schemas/control/fault.ts'
import { resetConnection } from './connection/reset-connection.ts'

/** A failure somebody asked for; each document's error handler draws what it says in its own dialect. */
export class InjectedFault extends DomainError {
  readonly respond: FaultResponse

  constructor(respond: FaultResponse) {
    super('internal', 'a fault of the control API', { source: 'POST /_control/faults' })
    this.respond = respond
  }
}

/** Strikes a request with the faults that fit it. `soapOperation` is known only once a SOAP body has been read. */
export async function injectFaults(
  request: FastifyRequest,
  reply: FastifyReply,
  soapOperation?: string,
): Promise<void> {
  const [path = '/'] = request.url.split('?', 1)
  const operation = soapOperation ?? request.routeOptions.config?.operation
  const faults = request.ports.faults
    .matching({ operation, path, ...(soapOperation ? { soapOperation } : {}) })
    // A fault on the path alone has struck when the request came in, before its body was read.
    .filter(({ match }) => !soapOperation || match.soapOperation || match.operation !== undefined)
  for (const fault of faults) {
    if (await isSpared(request, fault)) continue
    request.ports.faults.strike(fault.faultId)
    if (fault.delayMs) await delay(fault.delayMs, request.server.closing)
    if (fault.respond) return strike(reply, fault.respond)
  }
}

async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}

function strike(reply: FastifyReply, respond: FaultResponse): void {
  if (!('reset' in respond)) throw new InjectedFault(respond)
  reply.hijack()
  if (reply.raw.socket) resetConnection(reply.raw.socket)
}

async function isSpared({ ports }: FastifyRequest, { probability = 1 }: Fault): Promise<boolean> {
  if (probability >= 1) return false
  const [byte = 0, more = 0] = await ports.random.bytes('fault', 2)
  return (byte * 256 + more) / 65_536 >= probability
}
