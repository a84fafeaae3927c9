import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'

/**
 * A connection to a server that can be cut and restored. While the connection is cut, neither end gets an error, as in
 * a partitioned network.
 */
export interface Line {
  port: number
  cut(): void
  fix(): void
  /** Existing connections stop working, but new connections work. */
  strand(): void
  close(): void
}

export async function openLine(to: number): Promise<Line> {
  const sockets = new Set<Socket>()
  const stranded: Socket[] = []
  let isCut = false
  const server = createServer((near) => {
    const far = createConnection(to, '127.0.0.1')
    const pairs = [
      [near, far],
      [far, near],
    ] as const
    for (const [from, other] of pairs) {
      sockets.add(from)
      from.on('data', (data) => other.write(data))
      from.on('error', () => other.destroy())
      from.on('close', () => {
        sockets.delete(from)
        if (!isCut) other.destroy()
      })
      if (isCut) from.pause()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    cut() {
      isCut = true
      for (const socket of sockets) socket.pause()
    },
    fix() {
      isCut = false
      // Data that was in transit when the connection was cut may arrive late, or never.
      for (const socket of sockets) socket.resume()
    },
    strand() {
      for (const socket of sockets) socket.pause()
      stranded.push(...sockets)
      sockets.clear()
    },
    close() {
      for (const socket of stranded) socket.destroy()
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
