import type { IncomingMessage } from 'node:http'
import type { Dispatcher } from 'undici'
import { type ReplyBounds, readBounded } from './bounded-reply.ts'
import type { CapturedReply } from './captured-reply.ts'
import type { Destination } from './destination.ts'
import { asSent, passingHeaders } from './raw-headers.ts'
import { isLost } from './sockets.ts'

/** The other server gets the client's call too, so that both replies can be compared. */
export interface ShadowCall extends Destination {
  bounds: ReplyBounds
  path: string
  request: IncomingMessage
  body: Buffer | undefined
  /** Translates ids of the answering server to those of this one. */
  translate(text: string): string
}

/** Keeps what comes; an absent server leaves nothing, and the client never notices. */
export async function makeShadowCall(call: ShadowCall, captured: CapturedReply, signal: AbortSignal): Promise<void> {
  const { origin, dispatcher, headers: own, bounds, path, request, body, translate } = call
  const replaced = { ...own, 'accept-encoding': 'identity' }
  // Ids of another length give the body another one.
  const passed = passingHeaders(request.rawHeaders, [...Object.keys(replaced), 'content-length'])
  const sent = passed.map((text, i) => (i % 2 === 0 ? text : translate(text)))
  try {
    const answer = await dispatcher.request({
      origin,
      path: translate(path),
      method: request.method as Dispatcher.HttpMethod,
      headers: [...sent, ...Object.entries(replaced).flat()],
      body: body ? translateBody(body, translate) : null,
      signal,
      headersTimeout: bounds.patience,
      bodyTimeout: 0,
      responseHeaders: 'raw',
    })
    captured.answered(answer.statusCode, passingHeaders(asSent(answer.headers)))
    if (captured.isStream && captured.isStreamUnwanted) return void answer.body.on('error', () => {}).destroy()
    const pieces = readBounded(answer.body, captured.isStream ? undefined : bounds)
    for await (const piece of pieces) captured.received(piece)
    captured.ended('whole')
  } catch (error) {
    if (signal.aborted) captured.ended('left')
    else captured.ended(isLost(error) && !captured.hasBegun ? 'lost' : 'cut')
  }
}

/** A body that is no text passes unchanged: replacing letters would damage it. */
function translateBody(body: Buffer, translate: (text: string) => string): Buffer {
  const text = body.toString()
  return Buffer.from(text).equals(body) ? Buffer.from(translate(text)) : body
}
