import type { ClientRequest, IncomingMessage } from 'node:http'
import { createGunzip } from 'node:zlib'

const WITHOUT_BODY = [101, 204, 205, 304]

export function toReply(outgoing: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.on('response', (reply) => {
      // A reply may break off before its body is asked for; without a listener Node forgets that.
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
  return new ReadableStream({
    start(controller) {
      const fail = (error: Error) => controller.error(signal.aborted ? signal.reason : failed('terminated', error))
      if (reply.errored) return fail(reply.errored)
      source.on('data', (bytes: Buffer) => {
        controller.enqueue(bytes)
        if ((controller.desiredSize ?? 0) <= 0) source.pause()
      })
      source.on('end', () => controller.close())
      source.on('error', fail)
      if (isPacked) reply.on('error', fail)
    },
    pull: () => void source.resume(),
    cancel: () => void reply.destroy(),
  })
}

/** The error that `fetch` throws where there is no reply, or no whole one. */
export function failed(message: string, cause: Error): TypeError {
  return new TypeError(message, { cause })
}
