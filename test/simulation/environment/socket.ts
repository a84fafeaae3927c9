import { IncomingMessage, ServerResponse } from 'node:http'
import { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { machine } from './machine.ts'
import { NOBODY } from './scheduler.ts'

/** Buffer size in bytes. It is small, so that streams have to wait for their readers. */
const LITTLE = 512

/** The client's end of a connection within this process. The client determines how fast it reads. */
export class SimulatedSocket extends Duplex {
  readonly remoteAddress = '127.0.0.1'
  readonly encrypted = false
  text = ''
  isSlow = false
  #held: (() => void)[] = []
  readonly #arrived: () => void

  constructor(arrived: () => void) {
    super({ writableHighWaterMark: LITTLE })
    this.#arrived = arrived
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const take = () => {
      this.text += chunk.toString('latin1')
      this.#arrived()
      done()
    }
    if (this.isSlow) this.#held.push(take)
    else take()
  }

  readOn(): void {
    this.isSlow = false
    for (const take of this.#held.splice(0)) take()
  }

  setKeepAlive(): this {
    return this
  }

  setTimeout(): this {
    return this
  }

  resetAndDestroy(): this {
    return this.destroy()
  }
}

/** Passes a request to an app over a connection that stays open, as an HTTP server would. */
export function sendOver(app: FastifyInstance, socket: SimulatedSocket, url: string, headers: Record<string, string>) {
  const request = new IncomingMessage(socket as never)
  Object.assign(request, { method: 'GET', url, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 })
  request.headers = { host: 'localhost', ...headers }
  request.rawHeaders.push(...Object.entries(request.headers).flatMap(([name, value]) => [name, String(value)]))
  request.complete = true
  request.push(null)
  const reply = new ServerResponse(request)
  reply.assignSocket(socket as never)
  reply.on('finish', () => {
    reply.detachSocket(socket as never)
    machine.scheduler.soon(() => socket.destroy(), NOBODY)
  })
  app.server.emit('request', request, reply)
}

/** Returns the status of a response, and its decoded body as far as it has arrived. */
export function readReply(text: string): { status: number; body: string } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = text.slice(0, end)
  const rest = text.slice(end + 4)
  const status = Number(head.slice(9, 12))
  return { status, body: /transfer-encoding: chunked/i.test(head) ? joinChunks(rest) : rest }
}

function joinChunks(text: string): string {
  let body = ''
  for (let at = 0; ; ) {
    const end = text.indexOf('\r\n', at)
    const size = Number.parseInt(text.slice(at, end), 16)
    if (end < 0 || !(size > 0)) return body
    body += text.slice(end + 2, end + 2 + size)
    at = end + 2 + size + 2
  }
}
