import type { ClientRequest } from 'node:http'
import { addAbortSignal, pipeline, Readable } from 'node:stream'
import { setImmediate } from 'node:timers'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A complete body is a buffer. An incomplete body consists of the data that has been received so far, and the rest. */
export type Upload = Buffer | { begun: Buffer; rest: Readable }

/** If no data arrives for this number of event-loop ticks, the body counts as slow. */
const MOST_SILENCE = 8
const MOST_BYTES_AHEAD = 16 * 1024 * 1024
const MOST_PIECES_AHEAD = 1000

export async function toUpload({ bodyUsed, signal }: Request, body: ReadableStream<Uint8Array>): Promise<Upload> {
  if (bodyUsed || body.locked) throw failed('fetch failed', new Error('the body has already been read'))
  const source = addAbortSignal(signal, toSource(body))
  try {
    const begun = await readAhead(source)
    return source.readableEnded ? begun : { begun, rest: source }
  } catch (error) {
    throw signal.aborted ? signal.reason : failed('fetch failed', error as Error)
  }
}

/** Sends the headers of an incomplete body at once, because a server may respond before its end. */
export function sendUpload(outgoing: ClientRequest, upload: Upload | undefined): void {
  if (upload === undefined || Buffer.isBuffer(upload)) return void outgoing.end(upload)
  const { begun, rest } = upload
  if (!outgoing.hasHeader('content-length')) outgoing.setHeader('transfer-encoding', 'chunked')
  outgoing.flushHeaders()
  if (begun.length > 0) outgoing.write(begun)
  // Errors of the body and of the request are reported by the `error` event of the request.
  pipeline(rest, outgoing, () => {})
  outgoing.on('response', (reply) => {
    reply.on('end', () => {
      if (!rest.readableEnded) outgoing.destroy()
    })
  })
}

function toSource(body: ReadableStream<Uint8Array>): Readable {
  const reader = body.getReader()
  let reading = Promise.resolve()
  /** Node 24 throws an uncatchable error if a form is cancelled while its next chunk is pending. */
  const leave = async (reason: unknown) => {
    await Promise.race([reading, passInSilence()])
    await reader.cancel(reason).catch(() => {})
  }
  return new Readable({
    read() {
      const push = ({ done, value }: { done: boolean; value?: unknown }) => {
        if (!done && !(value instanceof Uint8Array)) throw new TypeError('a body must consist of Uint8Array chunks')
        this.push(done ? null : value)
      }
      reading = reader
        .read()
        .then(push)
        .catch((error: Error) => void this.destroy(error))
    },
    destroy(error, done) {
      void leave(error)
      done(error)
    },
  })
}

async function passInSilence(): Promise<void> {
  for (let turn = 0; turn < MOST_SILENCE; turn++) await nextTurn()
}

function readAhead(source: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  let silence = 0
  return new Promise((resolve, reject) => {
    const finish = () => {
      clearImmediate(turn)
      source.off('data', take).off('end', finish).pause()
      resolve(Buffer.concat(pieces))
    }
    const take = (bytes: Buffer) => {
      silence = 0
      length += bytes.length
      if (pieces.push(bytes) >= MOST_PIECES_AHEAD || length >= MOST_BYTES_AHEAD) finish()
    }
    const wait = () => {
      if (++silence > MOST_SILENCE) finish()
      else turn = setImmediate(wait)
    }
    let turn = setImmediate(wait)
    // This listener must not be removed, because an error may occur before the rest is read.
    source.on('error', (error) => {
      clearImmediate(turn)
      reject(error)
    })
    source.on('data', take).on('end', finish)
  })
}

export function failed(message: string, cause: Error): TypeError {
  return new TypeError(message, { cause })
}
