import type { IncomingMessage } from 'node:http'
import type { Dispatcher } from 'undici'
import { readBounded } from './bounded-reply.ts'
import type { CapturedReply } from './captured-reply.ts'
import { passingHeaders } from './raw-headers.ts'
import { asSent, type Destination } from './relay.ts'

export interface BesideCall extends Destination {
  path: string
  request: IncomingMessage
  body: Buffer | undefined
  timer(): number
  /** Translates ids of the answering server to those of this one. */
  translate(text: string): string
}

/** A server that has not begun to answer by then counts as absent. */
const PATIENCE = 30_000

/** Keeps what comes; an absent server leaves nothing, and the client never notices. */
export async function askBeside(call: BesideCall, captured: CapturedReply, signal: AbortSignal): Promise<void> {
  const { origin, dispatcher, headers: own, bounds, path, request, body, translate, timer } = call
  const replaced = { ...own, 'accept-encoding': 'identity', 'content-length': '' }
  const named = Object.entries(replaced).filter(([, value]) => value !== '')
  const sent = passingHeaders(request.rawHeaders, replaced).map((text, i) => (i % 2 === 0 ? text : translate(text)))
  try {
    const answer = await dispatcher.request({
      origin,
      path: translate(path),
      method: request.method as Dispatcher.HttpMethod,
      headers: [...sent, ...named.flat()],
      body: body ? translateBody(body, translate) : null,
      signal,
      headersTimeout: PATIENCE,
      bodyTimeout: 0,
      responseHeaders: 'raw',
    })
    captured.answered(answer.statusCode, passingHeaders(asSent(answer.headers)))
    if (captured.isStream && captured.isStreamUnwanted) return void answer.body.on('error', () => {}).destroy()
    const within = captured.isStream
      ? undefined
      : (bounds ?? { patience: PATIENCE, longest: 4 * PATIENCE, bytes: 2 ** 28, timer })
    for await (const piece of readBounded(answer.body, within)) captured.received(piece)
    captured.ended('whole')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (signal.aborted) captured.ended('left')
    else captured.ended(/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code) && !captured.hasBegun ? 'lost' : 'cut')
  }
}

/** A body that is no text passes unchanged: replacing letters would damage it. */
function translateBody(body: Buffer, translate: (text: string) => string): Buffer {
  const text = body.toString()
  return Buffer.from(text).equals(body) ? Buffer.from(translate(text)) : body
}
