import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** Streams have bounds of their own and end last. */
    streamSockets: WeakSet<Socket>
  }
}

export interface OpenConnections {
  list(): Iterable<Socket>
  isStream(socket: Socket): boolean
}

export function trackConnections(app: FastifyInstance, streams: WeakSet<Socket>): OpenConnections {
  const open = new Map<string, Socket>()
  app.decorate('streamSockets', { getter: () => streams })

  function track(socket: Socket): void {
    const peer = `${socket.remoteAddress} ${socket.remotePort}`
    // A TLS connection is reported twice: raw, and once it is secure.
    open.set(peer, socket)
    socket.once('close', () => {
      if (open.get(peer) === socket) open.delete(peer)
    })
  }
  app.server.on('connection', track).on('secureConnection', track)
  return { list: () => open.values(), isStream: (socket) => streams.has(socket) }
}

/** Looks in the allowed time whether the reply is read. */
const LOOKS = 12

/** A reader that reads anything within `patience` milliseconds stays, however slow it is. */
export function endUnreadReplies({ server }: FastifyInstance, connections: OpenConnections, patience: number): void {
  const look = lookForUnread(connections, LOOKS)
  let timer: NodeJS.Timeout | undefined
  server.on('listening', () => {
    clearInterval(timer)
    timer = setInterval(look, patience / LOOKS).unref()
  })
  server.on('close', () => clearInterval(timer))
}

/** Each call looks at all connections, and ends those whose reader has stood still for so many looks. */
export function lookForUnread(connections: OpenConnections, looksAllowed: number): () => void {
  const unread = new WeakMap<Socket, { left: string; looks: number }>()

  function look(socket: Socket): void {
    if (socket.writableLength === 0 || connections.isStream(socket)) return void unread.delete(socket)
    const left = leftOf(socket)
    const seen = unread.get(socket)
    const looks = seen?.left === left ? seen.looks + 1 : 0
    if (looks >= looksAllowed) socket.destroy()
    else unread.set(socket, { left, looks })
  }
  return () => {
    for (const socket of connections.list()) look(socket)
  }
}

/** Only this handle tells how much of a write the system has taken. */
const HANDLE = '_handle'

function leftOf(socket: Socket & { [HANDLE]?: { writeQueueSize?: number } | null }): string {
  return `${socket.bytesWritten} ${socket.writableLength} ${socket[HANDLE]?.writeQueueSize}`
}
