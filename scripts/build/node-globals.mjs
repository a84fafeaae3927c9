// Replaces the globals in code that runs under test runners: jsdom and happy-dom define their own, Jest omits some, and
// fake timers would stop the server.
import { Buffer } from 'node:buffer'
import { transferableAbortController } from 'node:util'
import { deserialize, serialize } from 'node:v8'

// biome-ignore lint/performance/noBarrelFile: esbuild replaces globals with the exports of a single module
export { atob, Blob, btoa, File } from 'node:buffer'
export { webcrypto as crypto } from 'node:crypto'
export { performance } from 'node:perf_hooks'
export { ReadableStream, TextDecoderStream, TransformStream, WritableStream } from 'node:stream/web'
export { clearImmediate, clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers'
export { URL, URLSearchParams } from 'node:url'
export { TextDecoder, TextEncoder } from 'node:util'
export { BroadcastChannel, MessageChannel, MessagePort } from 'node:worker_threads'
export { Buffer }

// No module exports these classes, so they are obtained from instances.
const BufferParent = Object.getPrototypeOf(Buffer)
const BufferMemory = Buffer.alloc(0).buffer.constructor
export { BufferMemory as ArrayBuffer, BufferParent as Uint8Array }
const controller = transferableAbortController()
export const AbortController = controller.constructor
export const AbortSignal = controller.signal.constructor
export const EventTarget = Object.getPrototypeOf(AbortSignal)
let aborted
controller.signal.addEventListener('abort', (event) => {
  aborted = event
})
controller.abort()
export const Event = aborted.constructor
export const DOMException = controller.signal.reason.constructor

export const structuredClone = (value) => deserialize(serialize(value))
export const queueMicrotask = (run) => void Promise.resolve().then(run)

// Uses the platform's versions if they exist, because a test may replace or check them.
const web = 'document' in globalThis ? require('undici') : globalThis
export const { FormData, Headers, Request, Response } = web
export const fetch = (...given) => web.fetch(...given)
