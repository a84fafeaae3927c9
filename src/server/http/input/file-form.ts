import type { IncomingMessage } from 'node:http'
import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest, preValidationHookHandler } from 'fastify'
import type { Source } from '#contract/rules.ts'
import type { FileForm } from '#contract/operation.ts'
import { DomainError } from '#server/domain/errors.ts'
import type { UploadedFile } from '#contract/records/guest/symptom-image.ts'
import { UnreadableBody } from './json-body.ts'

const MOST_PARTS = 100
/** Maximum size in bytes of all form fields except the file. It is the same as the limit for a JSON body. */
const MOST_FIELDS_BESIDE_FILE = 1_000_000

export type SentFile = Omit<FormFile, 'bytes'> & { size: number }

interface FormFile extends UploadedFile {
  /** The type that the client declared. The server determines the actual type from the content. */
  contentType: string
}

/** RFC 7578: the file becomes `{[field]: UploadedFile}`. Other parts are ignored, like unknown fields. */
export function acceptFileForm(app: FastifyInstance, form: FileForm): void {
  app.removeAllContentTypeParsers()
  app.register(multipart, {
    // The parser accepts a file whose size is exactly `fileSize`, so the limit is reduced by one byte.
    limits: { parts: MOST_PARTS, fileSize: form.sizeLimit - 1 },
    throwFileSizeLimit: false,
    // The file is kept in memory anyway. Pausing the sender would double the time.
    fileHwm: form.sizeLimit,
    highWaterMark: 1024 * 1024,
    // Some clients send no file name, and the plugin would parse JSON parts as fields.
    isPartAFile: (_name, type, fileName) => fileName !== undefined || (type !== undefined && type !== 'text/plain'),
  })
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume()
    done(null, unusable('the body must be multipart/form-data with a boundary'))
  })
}

/** Must find the same boundary as the parser: the first such parameter directly followed by its value. */
const BOUNDARY =
  /^multipart\/form-data(?:\s*;\s*(?!boundary)[\w-]+=(?:"[^"]*"|[^";\s]*))*\s*;\s*boundary=(?:"([^"]+)"|([^";,\s]+))/i

/** Reads the form, which the content type parser of `acceptFileForm` has not read. */
export const readFileForm: preValidationHookHandler = (request, _reply, done) => {
  const form = request.context.route.rules?.form
  if (!form || !request.isMultipart()) return done()
  const { complete, errored } = request.raw
  // The client may have disconnected while a fault delayed the request.
  if (!complete && errored) return done(errored)
  readForm(request, form).then((body) => {
    request.body = body
    return done()
  }, done)
}

async function readForm(
  request: FastifyRequest,
  form: FileForm,
): Promise<Record<string, UploadedFile> | UnreadableBody> {
  try {
    const bounds = boundParser(request.raw, form.sizeLimit + MOST_FIELDS_BESIDE_FILE)
    if (!bounds) return unusable('the multipart boundary is not valid')
    const file = await Promise.race([readParts(request, form), bounds.exceeded])
    if (!file || file instanceof UnreadableBody) return file ?? {}
    // The journal stores a request as it was sent, except for the bytes of files.
    const { bytes, ...about } = file
    request.context.sent = { [form.field]: { ...about, size: bytes.length } satisfies SentFile }
    return bytes.length > 0 ? { [form.field]: file } : unusable(`${form.field} is empty`)
  } catch (error) {
    if (error instanceof DomainError) throw error
    const fix = 'End each line with CRLF, and the form with --BOUNDARY--'
    return unusable(`the multipart body cannot be read: ${(error as Error).message}. ${fix}`)
  } finally {
    // Reads and discards the rest, so that the client can read an error response while it is still sending.
    request.raw.unpipe().resume()
  }
}

async function readParts(request: FastifyRequest, form: FileForm): Promise<FormFile | UnreadableBody | undefined> {
  let file: FormFile | undefined
  let isOther = false
  for await (const part of request.parts()) {
    if (part.type === 'field') continue
    if (part.fieldname !== form.field) {
      isOther ||= part.filename !== undefined
      part.file.resume()
    } else if (file) return unusable(`the form has more than one ${form.field}`)
    else file = await readFile(part, form)
  }
  return file ?? (isOther ? unusable(`the file of the form must be named ${form.field}`) : undefined)
}

/**
 * A parser that has rejected a form continues, and delimiters could keep it busy for seconds, so it gets no data after
 * one too many. It has no limit for all fields and discarded data, so it gets at most `most` bytes. `exceeded` then
 * rejects.
 */
function boundParser(raw: IncomingMessage, most: number): { exceeded: Promise<never> } | undefined {
  const [, quoted, boundary = quoted] = BOUNDARY.exec(raw.headers['content-type'] ?? '') ?? []
  if (boundary === undefined) return undefined
  const delimiter = `\r\n--${boundary}`
  let [found, bytes] = [0, 0]
  let exceed = () => {}
  const exceeded = new Promise<never>((_, reject) => {
    exceed = () => reject(tooLarge('a form', most))
  })
  // The promise may be rejected before it is awaited.
  exceeded.catch(() => {})
  const cut = (chunk: Buffer): Buffer => {
    bytes += chunk.length
    if (bytes >= most) exceed()
    if (bytes >= most || found > MOST_PARTS + 1) return chunk.subarray(0, 0)
    for (let at = chunk.indexOf(delimiter); at >= 0; at = chunk.indexOf(delimiter, at + delimiter.length)) {
      if (++found > MOST_PARTS + 1) return chunk.subarray(0, at + delimiter.length + 2)
    }
    return chunk
  }
  // Bytes that have already arrived but have not been parsed.
  const begun = raw.read() as Buffer | null
  if (begun) raw.unshift(cut(begun))
  const push = raw.push.bind(raw)
  raw.push = (chunk: Uint8Array | string | null, encoding) =>
    push(Buffer.isBuffer(chunk) ? cut(chunk) : chunk, encoding)
  return { exceeded }
}

/** Destroying the file rejects an upload that is too large at once, without reading it to its end. */
async function readFile(part: MultipartFile, { sizeLimit }: FileForm): Promise<FormFile> {
  const { file } = part
  file.once('limit', () => file.destroy(tooLargeFile(sizeLimit)))
  const bytes = await part.toBuffer()
  if (file.truncated) throw tooLargeFile(sizeLimit)
  return { fileName: toFileName(part.filename ?? ''), contentType: part.mimetype, bytes }
}

/** The name is only displayed and never used as a path. In form data, browsers escape three characters of it. */
function toFileName(given: string): string {
  const [name = ''] = given
    .replace(/%(?:22|0A|0D)/g, decodeURIComponent)
    .split(/[/\\]/)
    .slice(-1)
  return name.replace(/\p{C}/gu, '').slice(0, 255) || 'image'
}

const unusable = (message: string) => new UnreadableBody(message, 'our choice: image-form')

const tooLargeFile = (limit: number) => tooLarge('a file', limit, 'document 1, section 8')

function tooLarge(what: string, limit: number, source: Source = 'our choice: image-form'): DomainError {
  const message = `${what} must be smaller than ${limit / 1_000_000} MB`
  return new DomainError('payload-too-large', message, {
    source,
    findings: [{ code: 'LimitExceeded', message, target: 'body', source }],
  })
}
