import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { type Finding, invalidInput } from '../../domain/errors.ts'
import { findPoisonedKey } from '../../../contract/records/plain-values.ts'
import type { Source } from '../../../contract/rules.ts'
import { BodyError, parseBulkJson } from './bulk-json.ts'
import { ExcessScan } from './json-bounds.ts'

/** Smaller values would need more than ten times their bytes in memory. */
const BULK_BYTES_PER_VALUE = 8
/** A single value is parsed in one turn; the largest image in base64 has a few bytes less. */
const LONGEST_VALUE = 8_000_000
/** So many bytes are scanned in one turn. */
const STRETCH = 1024 * 1024

/** It is reported together with findings in path and query. */
export class UnreadableBody {
  readonly finding: Finding

  constructor(message: string, source: Source = 'our choice: json-bodies') {
    this.finding = { code: 'MalformedBody', message, target: 'body', source }
  }
}

/** Null and empty fields are included. */
export function readRawBody({ body }: Pick<FastifyRequest, 'body'>): unknown {
  if (body instanceof UnreadableBody) throw invalidInput([body.finding])
  return body
}

export function readJson(bytes: Buffer): { body: unknown; text: string } {
  const content = withoutMark(bytes)
  const text = content.toString('utf8')
  if (bytes.length === 0) return { body: undefined, text }
  const excess = new ExcessScan(bytes).look(bytes.length)
  if (excess) return { body: new UnreadableBody(`the JSON body ${excess}`, 'our choice: json-bounds'), text }
  try {
    return { body: parse(content, text), text }
  } catch (error) {
    return { body: toUnreadable(error), text }
  }
}

/** A whole world may have as many values as its bytes have room for; others get their turn. */
export async function readBulkJson(bytes: Buffer, giveWay: () => Promise<void> | undefined): Promise<unknown> {
  if (bytes.length === 0) return undefined
  const scan = new ExcessScan(bytes, bytes.length / BULK_BYTES_PER_VALUE)
  for (let at = 0; at < bytes.length; at += STRETCH) {
    const excess = scan.look(Math.min(bytes.length, at + STRETCH))
    if (excess) return new UnreadableBody(`the JSON body ${excess}`, 'our choice: json-bounds')
    await giveWay()
  }
  return parseBulkJson(withoutMark(bytes), { parse: parsePiece, giveWay }).catch((error) => toUnreadable(error))
}

function parse(bytes: Buffer, text = bytes.toString('utf8')): unknown {
  if (!isUtf8(bytes)) throw new BodyError('the body is not valid UTF-8')
  const value: unknown = JSON.parse(text)
  const key = findPoisonedKey(value, text)
  if (key) throw new BodyError(`the JSON body has a key ${key}, which is refused`, 'our choice: repeated-parameters')
  return value
}

/** Only a single value makes a piece large. */
function parsePiece(bytes: Buffer): unknown {
  if (bytes.length > LONGEST_VALUE)
    throw new BodyError(`the JSON body has a value of more than ${LONGEST_VALUE} bytes`, 'our choice: json-bounds')
  return parse(bytes)
}

/** V8 quotes a letter and a piece of the text, which may be of a secret. */
const QUOTED = /(?<=^Unexpected token) .*|, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s

function toUnreadable(error: unknown): UnreadableBody {
  if (error instanceof BodyError) return new UnreadableBody(error.message, error.source)
  if (!(error instanceof SyntaxError)) throw error
  return new UnreadableBody(`the body is not valid JSON: ${error.message.replace(QUOTED, '')}`)
}

/** JSON text may begin with a byte order mark. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}
