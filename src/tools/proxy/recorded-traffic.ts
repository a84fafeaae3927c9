import { closeSync, openSync, writeSync } from 'node:fs'
import { readBody, readText } from '#contract/bodies.ts'
import { passingCallHeaders, passingReplyHeaders } from '#contract/files/passing-headers.ts'
import type { Redactor } from '#contract/redaction.ts'
import type { HttpRequest, HttpResponse } from '#contract/exchange.ts'
import { type CaseStep, type WrittenStep, writeEnd, upstreamHeader } from '#contract/files/case.ts'
import type { ProxiedCall } from './forward-proxy.ts'
import { createFrameReader, isEventStream } from './frame-reader.ts'
import { passingHeaders, toHeaderFields, without } from './raw-headers.ts'
import type { Witness } from './relay.ts'
import { describeFailure } from '#contract/failures.ts'

export interface RecordedTraffic {
  writer: CaseWriter
  redactor: Redactor
  now(): number
}

/** A reply is written when it is whole, and the frames of a stream as they come. */
export function recordTraffic(traffic: RecordedTraffic, { url, request }: ProxiedCall): Witness {
  const { writer } = traffic
  const [sent, received] = [new Pieces(writer), new Pieces(writer)]
  let head: { status: number; headers: HttpRequest['headers'] } | undefined
  let stream: ReturnType<typeof recordStream> | undefined

  const readCall = (): HttpRequest => {
    const bytes = sent.take()
    const fields = toHeaderFields(passingHeaders(request.rawHeaders))
    const headers = without(fields, passingCallHeaders)
    const body = bytes.length > 0 && readBody(bytes, request.headers['content-encoding'])
    return { method: request.method ?? 'GET', path: url.path, headers, ...(body !== false && { body }) }
  }
  const readReply = ({ status, headers }: NonNullable<typeof head>): HttpResponse => {
    const bytes = received.take()
    const text = request.method === 'HEAD' ? undefined : readText(bytes, headers)
    if (text === undefined) return { status, headers }
    const { 'content-encoding': _, ...others } = headers
    return { status, headers: others, body: text }
  }
  const write = (reply: HttpResponse) => add(traffic, { call: readCall(), reply })

  return {
    sent: (bytes) => sent.add(bytes),
    answered(status, raw) {
      head = { status, headers: without(toHeaderFields(raw), passingReplyHeaders) }
      if (!isEventStream(request.method, head.headers['content-type'])) return
      write({ ...head, body: '' })
      stream = recordStream(traffic, url.path)
    },
    received(bytes) {
      if (stream) stream.push(bytes)
      else received.add(bytes)
    },
    ended(how) {
      if (stream) stream.end()
      else if (!head) {
        if (how === 'lost') write({})
      } else if (how === 'left') write(head)
      else write({ ...readReply(head), ...(how === 'cut' && { cut: true }) })
    },
  }
}

function recordStream(traffic: RecordedTraffic, path: string) {
  const [address = ''] = path.split('?', 1)
  const [, subscriptionId = address] = /\/filters\/([^/]+)\/activate$/.exec(address) ?? []
  const read = createFrameReader((frame) => add(traffic, { frame: { subscriptionId, ...frame } }))
  return {
    push(bytes: Buffer) {
      if (traffic.writer.isOpen) read(bytes)
    },
    end: () => add(traffic, { closed: { subscriptionId } }),
  }
}

type Told = CaseStep extends infer Step ? (Step extends unknown ? Omit<Step, 'step' | 'at'> : never) : never

function add({ writer, redactor, now }: RecordedTraffic, what: Told): void {
  if (!writer.isOpen) return
  writer.add(redactor.take({ step: 1, at: new Date(now()).toISOString(), ...what } as CaseStep))
}

/** A body is kept only as far as the case has room for it. */
class Pieces {
  readonly #writer: CaseWriter
  #pieces: Buffer[] = []
  #bytes = 0

  constructor(writer: CaseWriter) {
    this.#writer = writer
  }

  add(bytes: Buffer): void {
    if (!this.#writer.isOpen) return this.#drop()
    this.#bytes += bytes.length
    if (this.#bytes > this.#writer.largest) {
      this.#drop()
      return this.#writer.end(`a body is larger than ${this.#writer.largest} bytes`)
    }
    // A copy is kept: the socket's piece belongs to a larger buffer, which would stay in memory.
    this.#pieces.push(Buffer.from(bytes))
  }

  take(): Buffer {
    const whole = Buffer.concat(this.#pieces)
    this.#drop()
    return whole
  }

  #drop(): void {
    this.#pieces = []
  }
}

/** A case ends by itself at this size, as a world's recording does. */
const LARGEST = 32 * 1024 * 1024

/** Each line is written at once, so a killed process loses nothing that was told. */
export class CaseWriter {
  readonly largest: number
  readonly #onEnd: (reason: string) => void
  readonly #file: number
  #steps = 0
  #bytes = 0
  #isOpen = true

  /** Throws when the file exists. Its owner alone can read it, since it holds what people sent to a vendor. */
  constructor(path: string, onEnd: (reason: string) => void, largest: number = LARGEST) {
    this.largest = largest
    this.#onEnd = onEnd
    this.#file = openSync(path, 'wx', 0o600)
    this.#put(`${JSON.stringify(upstreamHeader)}\n`)
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** The writer numbers the steps. */
  add(step: WrittenStep): void {
    if (!this.#isOpen) return
    const line = `${JSON.stringify({ ...step, step: this.#steps + 1 })}\n`
    const bytes = Buffer.byteLength(line)
    if (this.#bytes + bytes > this.largest) return this.end(`it has reached ${this.largest} bytes`)
    this.#steps++
    this.#bytes += bytes
    this.#put(line)
  }

  /** Traffic goes on after the recording has ended. */
  end(reason: string): void {
    if (!this.#isOpen) return
    this.#put(writeEnd(reason))
    this.close()
    this.#onEnd(reason)
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    closeSync(this.#file)
  }

  #put(line: string): void {
    const bytes = Buffer.from(line)
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at)
    } catch (error) {
      this.close()
      this.#onEnd(describeFailure(error))
    }
  }
}
