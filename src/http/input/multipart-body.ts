import type { Readable } from 'node:stream'
import { DomainError } from '../../domain/errors.ts'
import { UnreadableBody } from './json-body.ts'

/** One part of a multipart form, as it was sent. */
export interface FormPart {
  name: string
  /** Files have one, though it may be empty; plain fields have none. */
  fileName: string | undefined
  bytes: Buffer
}

const MAX_PARTS = 100
const MAX_HEADER_BYTES = 4096

/** The body as one piece. Of one that is too large nothing is kept, and its sender can still read the refusal. */
export function collectBody(payload: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    payload.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else {
        chunks.length = 0
        reject(tooLarge(limit))
      }
    })
    payload.on('end', () => resolve(Buffer.concat(chunks)))
    payload.on('error', (cause) => {
      reject(new DomainError('malformed', 'the body ends before it is complete', { source: 'our choice', cause }))
    })
  })
}

/**
 * The parts of a multipart form (RFC 7578), cut from the body without copying it: searching for the boundary costs a
 * fraction of what a parser pays that looks at every byte in turn.
 */
export function readMultipart(body: Buffer, contentType: string | undefined): FormPart[] | UnreadableBody {
  const boundary = findBoundary(contentType ?? '')
  if (boundary === undefined) return new UnreadableBody('the body must be multipart/form-data with a boundary')
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  const first = findFirstPart(body, delimiter)
  if (first === undefined) return new UnreadableBody('the boundary of the content-type does not occur in the body')
  const parts: FormPart[] = []
  for (let at = first; !isClosed(body, at); ) {
    const end = body.indexOf(delimiter, at)
    if (end < 0) return new UnreadableBody('the multipart body ends before its closing boundary')
    if (parts.length === MAX_PARTS) return new UnreadableBody(`the form has more than ${MAX_PARTS} parts`)
    const part = toPart(body.subarray(at, end))
    if (!part) return new UnreadableBody('the multipart body has a part without a readable name')
    parts.push(part)
    at = end + delimiter.length
  }
  return parts
}

const DASH = 0x2d

/** The last boundary has two more dashes; what follows it is no part of the form. */
function isClosed(body: Buffer, at: number): boolean {
  return body[at] === DASH && body[at + 1] === DASH
}

function tooLarge(limit: number): DomainError {
  const message = `the body is larger than ${limit} bytes`
  const source = 'our choice'
  return new DomainError('payload-too-large', message, {
    source,
    findings: [{ code: 'LimitExceeded', message, target: 'body', source }],
  })
}

function findBoundary(contentType: string): string | undefined {
  if (!/^multipart\/form-data\s{0,8}(;|$)/i.test(contentType)) return undefined
  const [, quoted, plain] = /;\s{0,8}boundary=(?:"([^"]{1,70})"|([^\s";,]{1,70})(?=[\s;]|$))/i.exec(contentType) ?? []
  return quoted ?? plain
}

/** Behind the first boundary, which may be the body's first line. */
function findFirstPart(body: Buffer, delimiter: Buffer): number | undefined {
  const opening = delimiter.subarray(2)
  if (body.subarray(0, opening.length).equals(opening)) return opening.length
  const at = body.indexOf(delimiter)
  return at < 0 ? undefined : at + delimiter.length
}

/** A line end, headers, an empty line, the content; without an empty line there is no content. */
function toPart(bytes: Buffer): FormPart | undefined {
  const found = bytes.subarray(0, MAX_HEADER_BYTES).indexOf('\r\n\r\n')
  const headersEnd = found < 0 ? bytes.length : found
  if (headersEnd > MAX_HEADER_BYTES) return undefined
  const [first, ...headers] = bytes.toString('utf8', 0, headersEnd).split('\r\n')
  const disposition = headers.find((line) => /^content-disposition:/i.test(line))
  if (first?.trim() !== '' || !disposition) return undefined
  const parameters = readParameters(disposition)
  const name = parameters.get('name')
  if (name === undefined) return undefined
  // Some clients send a file without a name; its type tells it from a field.
  const isFile = headers.some((line) => /^content-type:\s{0,8}(?!text\/plain)\S/i.test(line))
  return {
    name,
    fileName: parameters.get('filename') ?? (isFile ? '' : undefined),
    bytes: bytes.subarray(headersEnd + 4),
  }
}

/** The first of each parameter of a `Content-Disposition: form-data`; names in lower case. */
function readParameters(disposition: string): Map<string, string> {
  const parameters = new Map<string, string>()
  if (!/^content-disposition:\s{0,8}form-data\s{0,8};/i.test(disposition)) return parameters
  for (const [, name = '', quoted, plain] of disposition.matchAll(/;\s{0,8}(\w{1,20})=(?:"([^"]*)"|([^\s;"]*))/g)) {
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), quoted ?? plain ?? '')
  }
  return parameters
}
