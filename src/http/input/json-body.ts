import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { type Finding, invalidInput } from '../../domain/errors.ts'

/** Deeper JSON parses, and then overflows every recursive walk. */
const MAX_DEPTH = 64

/** More parse, and then hold everybody up while they are checked one by one. */
const MOST_VALUES = 10_000
/** Where a whole world is sent: fewer bytes a value would need more than ten times their size in memory. */
const BULK_BYTES_PER_VALUE = 8

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

/** The value of a JSON text; nothing for an empty one. `bulk` takes as many values as there are bytes for them. */
export function readJson(bytes: Buffer, bulk = false): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) return new UnreadableBody('the body is not valid UTF-8')
  const excess = findExcess(bytes, Math.max(MOST_VALUES, bulk ? bytes.length / BULK_BYTES_PER_VALUE : 0))
  if (excess) return new UnreadableBody(`the JSON body ${excess}`)
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

/** Bounds that must be kept before anything is made of the text; each value but the first stands behind a mark. */
function findExcess(bytes: Buffer, mostValues: number): string | undefined {
  let depth = 0
  let values = 1
  let inString = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (inString) {
      if (byte === 0x5c) i++
      else if (byte === 0x22) inString = false
    } else if (byte === 0x22) inString = true
    else if (byte === 0x5b || byte === 0x7b) {
      values++
      if (++depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`
    } else if (byte === 0x5d || byte === 0x7d) depth--
    else if (byte === 0x2c) values++
    if (values > mostValues) return `has more than ${Math.floor(mostValues)} values`
  }
  return undefined
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
