import type { ClientRequest, IncomingMessage } from 'node:http'
import { createGunzip } from 'node:zlib'
import { failed } from './failures.ts'

const WITHOUT_BODY = [101, 204, 205, 304]
/** So many bytes may wait for the reader. */
const MOST_AHEAD = 16_384

export function toReply(outgoing: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.on('response', (reply) => {
      // A reply may break off before its body is asked for, and Node forgets that without a listener.
      reply.on('error', () => {})
      resolve(reply)
    })
    outgoing.on('error', (error) => reject(signal.aborted ? signal.reason : failed('fetch failed', error)))
  })
}

export function toResponse({ method, signal, url }: Request, reply: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = reply
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!)
  const isEmpty = method === 'HEAD' || WITHOUT_BODY.includes(status)
  if (isEmpty) reply.resume()
  const response = new Response(isEmpty ? null : toBody(reply, signal), { status, statusText, headers })
  return Object.defineProperty(response, 'url', { value: url })
}

function toBody(reply: IncomingMessage, signal: AbortSignal): ReadableStream<Uint8Array> {
  const isPacked = reply.headers['content-encoding'] === 'gzip'
  const source = isPacked ? reply.pipe(createGunzip()) : reply
  // Only the first of error, end and leave counts.
  let over = false
  const finish = (end: () => void) => {
    if (!over) end()
    over = true
  }
  return new ReadableStream(
    {
      start(controller) {
        const fail = (error: Error) =>
          finish(() => controller.error(signal.aborted ? signal.reason : failed('terminated', error)))
        if (reply.errored) return fail(reply.errored)
        source.on('data', (bytes: Buffer) => {
          if (!over) controller.enqueue(bytes)
          if (!over && (controller.desiredSize ?? 0) <= 0) source.pause()
        })
        source.on('end', () => finish(() => controller.close()))
        source.on('error', fail)
        if (isPacked) reply.on('error', fail)
      },
      pull: () => void source.resume(),
      cancel: () => finish(() => void reply.destroy()),
    },
    // A short body is read to its end without a reader, so that its connection becomes free.
    { highWaterMark: MOST_AHEAD, size: (bytes) => bytes.length },
  )
}
