import { TLSSocket } from 'node:tls'
import type { Socket } from 'node:net'

/** Over TLS nobody could tell a reset from an end without a farewell. */
export function resetSocket(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}
