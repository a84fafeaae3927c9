import { closeSync, openSync, writeSync } from 'node:fs'
import { describeFailure } from '#contract/failures.ts'
import { type CaseStep, type WrittenStep, writeEnd, upstreamHeader } from '#contract/files/case.ts'
import type { Redactor } from '#contract/redaction.ts'
import { CapturedExchange } from './captured-exchange.ts'
import type { ProxiedCall } from './forward-proxy.ts'
import type { TrafficObserver } from './relay.ts'

export interface RecordedTraffic {
  writer: CaseWriter
  redactor: Redactor
  now(): number
}

/** A response is written when it is complete, and the frames of a stream when they arrive. */
export function recordTraffic(traffic: RecordedTraffic, proxied: ProxiedCall): TrafficObserver | undefined {
  if (!traffic.writer.isOpen) return undefined
  const subscriptionId = subscriptionOf(proxied.url.path)
  const captured = new CapturedExchange(proxied, (frame) => add(traffic, { frame: { subscriptionId, ...frame } }))
  const write = () => {
    const reply = captured.readReply()
    if (captured.isTooLarge) traffic.writer.end('a call and its reply together are too large')
    else if (reply) add(traffic, { call: captured.readCall(), reply })
  }
  return {
    sent: (bytes) => captured.sent(bytes),
    answered(status, raw) {
      captured.answered(status, raw)
      if (captured.isStream) write()
    },
    received: (bytes) => captured.received(bytes),
    ended(how) {
      captured.ended(how)
      if (captured.isStream) add(traffic, { closed: { subscriptionId } })
      else write()
    },
  }
}

function subscriptionOf(path: string): string {
  const [address = ''] = path.split('?', 1)
  const [, subscriptionId = address] = /\/filters\/([^/]+)\/activate$/.exec(address) ?? []
  return subscriptionId
}

type Told = CaseStep extends infer Step ? (Step extends unknown ? Omit<Step, 'step' | 'at'> : never) : never

function add({ writer, redactor, now }: RecordedTraffic, what: Told): void {
  if (!writer.isOpen) return
  writer.add(redactor.take({ step: 1, at: new Date(now()).toISOString(), ...what } as CaseStep))
}

/** Maximum size of a case in bytes. The same limit applies to the recording of a world. */
const LARGEST = 32 * 1024 * 1024

/** Writes each line immediately, so that no step is lost if the process is killed. */
export class CaseWriter {
  readonly #onEnd: (reason: string) => void
  readonly #file: number
  #steps = 0
  #bytes = 0
  #isOpen = true

  /** Throws if the file exists. Only its owner can read it, because it contains requests to a vendor. */
  constructor(path: string, onEnd: (reason: string) => void) {
    this.#onEnd = onEnd
    this.#file = openSync(path, 'wx', 0o600)
    this.#put(`${JSON.stringify(upstreamHeader)}\n`)
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  add(step: WrittenStep): void {
    if (!this.#isOpen) return
    const line = `${JSON.stringify({ ...step, step: this.#steps + 1 })}\n`
    const bytes = Buffer.byteLength(line)
    if (this.#bytes + bytes > LARGEST) return this.end(`it has reached ${LARGEST} bytes`)
    this.#steps++
    this.#bytes += bytes
    this.#put(line)
  }

  /** The recording ends, but the proxy continues to forward requests. */
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
