import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** Sockets of streams, which have their own limits and are closed last. */
    streamSockets: WeakSet<Socket>
  }
}

export interface OpenConnections {
  list(): Iterable<Socket>
  isStream(socket: Socket): boolean
}

const LOOKS = 12

/** Closes a connection if its write buffer has not drained for `patience` milliseconds. */
export function trackConnections(app: FastifyInstance, streams: WeakSet<Socket>, patience: number): OpenConnections {
  const { server } = app
  const open = new Map<string, Socket>()
  const connections: OpenConnections = { list: () => open.values(), isStream: (socket) => streams.has(socket) }
  app.decorate('streamSockets', streams)

  function track(socket: Socket): void {
    const peer = `${socket.remoteAddress} ${socket.remotePort}`
    // The server emits an event for the raw socket of a TLS connection, and another one after the handshake.
    open.set(peer, socket)
    socket.once('close', () => {
      if (open.get(peer) === socket) open.delete(peer)
    })
  }
  server.on('connection', track).on('secureConnection', track)

  const look = lookForUnread(connections, LOOKS)
  let timer: NodeJS.Timeout | undefined
  server.on('listening', () => {
    clearInterval(timer)
    timer = setInterval(look, patience / LOOKS).unref()
  })
  server.on('close', () => clearInterval(timer))
  return connections
}

/** Call it regularly. Closes a connection whose write buffer has not drained in `looksAllowed` checks in a row. */
export function lookForUnread(connections: OpenConnections, looksAllowed: number): () => void {
  const unread = new WeakMap<Socket, { written: number; looks: number }>()

  function look(socket: Socket): void {
    if (socket.writableLength === 0 || connections.isStream(socket)) return void unread.delete(socket)
    // Node writes more only when the buffer is empty, so an unchanged count means that the client does not read.
    const { bytesWritten: written } = socket
    const seen = unread.get(socket)
    const looks = seen?.written === written ? seen.looks + 1 : 0
    if (looks >= looksAllowed) socket.destroy()
    else unread.set(socket, { written, looks })
  }
  return () => {
    for (const socket of connections.list()) look(socket)
  }
}
