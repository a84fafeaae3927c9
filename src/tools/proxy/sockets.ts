import { TLSSocket } from 'node:tls'
import type { Socket } from 'node:net'

/** A TLS socket cannot be reset; its peer takes an end without a close notification for a reset. */
export function resetSocket(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}

const LOST = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED']

/** These codes mean that the other side ended the connection before it answered. */
export function isLost(error: unknown): boolean {
  return LOST.includes((error as NodeJS.ErrnoException).code ?? '')
}
