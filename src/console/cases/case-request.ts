import type { CaseCall } from '../../schemas/control/case.ts'
import { key } from '../address.ts'

/** A call of a case as this page makes it; `fill` puts what placeholders stand for into its texts. */
export function toRequest(
  { method, path, headers, body }: CaseCall,
  fill: (text: string) => string,
): { path: string; init: RequestInit } {
  const isControl = path.startsWith('/_control/')
  const pairs = Object.entries({ ...headers, ...(isControl && key !== undefined && { 'x-control-key': key }) })
  const isSent = body !== undefined && method !== 'GET' && method !== 'HEAD'
  return {
    path: fill(path),
    init: {
      method,
      // Its path says which world; the browser leaves out what only it may set.
      headers: pairs
        .filter(([name]) => name !== 'x-world')
        .flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, fill(value)])),
      ...(isSent && { body: typeof body === 'string' ? fill(body) : toBytes(body.base64) }),
    },
  }
}

function toBytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}

/** Links name the server and the world, which are others here. */
export function withoutOrigins<T>(value: T): T {
  const text = JSON.stringify(value).replace(/https?:\/\/[\w.:[\]-]+(\/w\/[a-z0-9-]+)?/g, '')
  return JSON.parse(text) as T
}
