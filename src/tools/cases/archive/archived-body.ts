import type { ArchivedRequest, ArchivedResponse } from '../../../contract/cases/http-archive.ts'
import { UnusableEntry } from '../../../contract/cases/readable-entry.ts'

type Posted = NonNullable<ArchivedRequest['postData']>

/** Gives nothing for content that is no text. */
export function readContent(content: ArchivedResponse['content']): string | undefined {
  const { text, encoding, mimeType = '' } = content ?? {}
  if (text === undefined || !isBase64(encoding, 'response.content')) return text
  const [, charset = 'utf-8'] = /;\s*charset="?([^\s;"]+)/i.exec(mimeType) ?? []
  const bytes = fromBase64(text, 'response.content')
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Some tools keep only the fields of a form; `contentType` is that of the call's header. */
export function readPosted(posted: ArchivedRequest['postData'], contentType: string): Buffer | undefined {
  if (!posted) return undefined
  const { text, encoding, params, mimeType = '' } = posted
  const isCoded = isBase64(encoding, 'request.postData')
  if (text !== undefined && text !== '') return isCoded ? fromBase64(text, 'request.postData') : Buffer.from(text)
  if (!params?.length) return undefined
  const type = mimeType || contentType
  if (/^application\/x-www-form-urlencoded/i.test(type)) {
    const fields = params.map(({ name, value = '' }): [string, string] => [name, value])
    return Buffer.from(new URLSearchParams(fields).toString())
  }
  if (/^multipart\/form-data/i.test(type)) return toForm(params, contentType || mimeType)
  throw new UnusableEntry('request.postData: params of no form')
}

/** RFC 7578 demands the boundary that the call's header names. */
function toForm(params: NonNullable<Posted['params']>, contentType: string): Buffer {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw new UnusableEntry('request.postData: a form without a boundary')
  const parts = params.map(({ name, value, fileName, contentType: type }) => {
    // Browsers keep a file's name, and a mark or a damaged text in place of its bytes.
    if (value === undefined || (fileName !== undefined && /^\(binary\)$|\ufffd/.test(value))) {
      throw new UnusableEntry('request.postData: a form without the bytes of its file')
    }
    const file = fileName === undefined ? '' : `; filename="${toQuoted(fileName)}"`
    const about = type === undefined ? '' : `Content-Type: ${type.replace(/[\r\n]+/g, ' ')}\r\n`
    return `--${boundary}\r\nContent-Disposition: form-data; name="${toQuoted(name)}"${file}\r\n${about}\r\n${value}\r\n`
  })
  return Buffer.from(`${parts.join('')}--${boundary}--\r\n`)
}

/** Browsers write names of parts with these three escapes. */
const quotes: Readonly<Record<string, string>> = { '"': '%22', '\r': '%0D', '\n': '%0A' }
const toQuoted = (name: string) => name.replace(/["\r\n]/g, (letter) => quotes[letter]!)

function isBase64(encoding: string | undefined, place: string): boolean {
  if (encoding === undefined || encoding === '') return false
  if (encoding.toLowerCase() === 'base64') return true
  throw new UnusableEntry(`${place}: unknown encoding`)
}

function fromBase64(text: string, place: string): Buffer {
  const [, letters] = /^([\w+/-]*)={0,2}$/.exec(text.replace(/\s+/g, '')) ?? []
  if (letters === undefined || letters.length % 4 === 1) {
    throw new UnusableEntry(`${place}: no base64`)
  }
  return Buffer.from(letters, 'base64')
}
