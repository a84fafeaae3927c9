import type { CaseBody, CaseCall } from '../../../contract/records/control/case.ts'
import { key } from '../address.ts'

/** `fill` puts values in the place of placeholders. */
export function toRequest(
  { method, path, headers, body }: CaseCall,
  fill: (text: string) => string,
): { path: string; init: RequestInit } {
  const isControl = path.startsWith('/_control/')
  const pairs = Object.entries({ ...headers, ...(isControl && key !== undefined && { 'x-control-key': key }) })
  // A compressed body is sent as it is.
  const isPacked = typeof body === 'object' && 'coding' in body
  const isSent = body !== undefined && method !== 'GET' && method !== 'HEAD'
  return {
    path: fill(path),
    init: {
      method,
      // The path names the world, and browsers drop headers that only they may set.
      headers: pairs
        .filter(([name]) => name !== 'x-world' && !(isPacked && name === 'content-encoding'))
        .flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, fill(value)])),
      ...(isSent && { body: typeof body === 'string' ? fill(body) : toBytes(body, fill) }),
    },
  }
}

function toBytes(body: Exclude<CaseBody, string>, fill: (text: string) => string): Uint8Array<ArrayBuffer> {
  if ('base64' in body) return toLatin1(atob(body.base64))
  const text = fill(body.text)
  if (body.charset === 'utf-8') return new TextEncoder().encode(text)
  if (body.charset === 'latin1') return toLatin1(text)
  const view = new DataView(new ArrayBuffer(2 * text.length))
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), body.charset === 'utf-16le')
  return new Uint8Array(view.buffer)
}

function toLatin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}

/** Links name the server and the world, which differ in a replay. */
export function withoutOrigins<T>(value: T): T {
  const text = JSON.stringify(value).replace(/https?:\/\/[\w.:[\]-]+(\/w\/[a-z0-9-]+)?/g, '')
  return JSON.parse(text) as T
}
