import { TLSSocket } from 'node:tls'
import type { Socket } from 'node:net'

/** A TLS socket cannot be reset; its peer takes an end without a close notification for a reset. */
export function resetSocket(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}
