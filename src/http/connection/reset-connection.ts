import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/** Cuts a connection as a broken network would. TLS knows no reset, and Node throws when it is asked for one. */
export function resetConnection(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}
