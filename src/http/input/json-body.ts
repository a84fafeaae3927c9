import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { type Finding, invalidInput } from '../../domain/errors.ts'

/** Deeper JSON parses, and then overflows every recursive walk. */
const MAX_DEPTH = 64

/** A body that could not be read; it is reported together with what is wrong in path and query. */
export class UnreadableBody {
  readonly finding: Finding

  constructor(message: string) {
    this.finding = { code: 'MalformedBody', message, target: 'body', source: 'our choice' }
  }
}

/** The body of a route that judges its input itself, null and empty fields included. */
export function readRawBody({ body }: Pick<FastifyRequest, 'body'>): unknown {
  if (body instanceof UnreadableBody) throw invalidInput([body.finding])
  return body
}

/** The value of a JSON text; nothing for an empty one. */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) return new UnreadableBody('the body is not valid UTF-8')
  if (isTooDeep(bytes)) return new UnreadableBody(`the JSON body is nested deeper than ${MAX_DEPTH} levels`)
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return new UnreadableBody(`the body is not valid JSON: ${(error as Error).message}`)
  }
  const key = /__proto__|constructor|\\u/.test(text) ? findPoisonedKey(value) : undefined
  return key ? new UnreadableBody(`the JSON body has a key ${key}, which is refused`) : value
}

function isTooDeep(bytes: Buffer): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (inString) {
      if (byte === 0x5c) i++
      else if (byte === 0x22) inString = false
    } else if (byte === 0x22) inString = true
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > MAX_DEPTH) return true
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
  return false
}

/** Keys that could reach an object's prototype when somebody copies the record. */
export function isPoisoned(key: string): boolean {
  return key === '__proto__' || key === 'constructor'
}

function findPoisonedKey(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, child] of Object.entries(value)) {
    if (isPoisoned(key)) return key
    const found = findPoisonedKey(child)
    if (found) return found
  }
  return undefined
}
