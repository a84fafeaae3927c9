import { IMAGE_SIZE_LIMIT, type ImageType } from '../../../contract/records/guest/symptom-image.ts'
import { DomainError, type ErrorCode, finding } from '../errors.ts'

/** Document 1, section 8: what the image is, of one that is small enough and of a type that is taken. */
export function requireImageType(bytes: Uint8Array): ImageType {
  if (bytes.length >= IMAGE_SIZE_LIMIT) {
    throw badFile('payload-too-large', 'LimitExceeded', `must be smaller than ${IMAGE_SIZE_LIMIT / 1_000_000} MB`)
  }
  const contentType = findImageType(bytes)
  if (contentType) return contentType
  throw badFile('unsupported-media-type', 'InvalidParameter', 'must be a jpg, gif, bmp or png')
}

function badFile(code: ErrorCode, found: 'LimitExceeded' | 'InvalidParameter', rule: string): DomainError {
  const source = 'document 1, section 8'
  const wrong = finding('body.imageFile', rule, { code: found, source })
  return new DomainError(code, wrong.message, { source, findings: [wrong] })
}

/**
 * Names are not trusted, and pixels never decoded. A magic number is not enough: text may begin with `BM` or `GIF89a`.
 */
export function findImageType(bytes: Uint8Array): ImageType | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isPng(view)) return 'image/png'
  if (isJpeg(view)) return 'image/jpeg'
  if (isGif(view)) return 'image/gif'
  if (isBmp(view)) return 'image/bmp'
  return undefined
}

/** A PNG has a signature, then a header chunk of 13 bytes with a width and a height. */
function isPng(view: DataView): boolean {
  if (view.byteLength < 33) return false
  const signed = view.getUint32(0) === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a
  const headed = view.getUint32(8) === 13 && textAt(view, 12, 4) === 'IHDR'
  return signed && headed && view.getUint32(16) > 0 && view.getUint32(20) > 0
}

/** A JPEG has a start of image, then a segment with a length. */
function isJpeg(view: DataView): boolean {
  if (view.byteLength < 6 || view.getUint16(0) !== 0xffd8 || view.getUint8(2) !== 0xff) return false
  const marker = view.getUint8(3)
  const hasLength = marker >= 0xc0 && marker !== 0xff && !(marker >= 0xd0 && marker <= 0xd9)
  return hasLength && view.getUint16(4) >= 2
}

/** A GIF has a header, then blocks up to a first picture whose codes have a possible size. */
function isGif(view: DataView): boolean {
  if (view.byteLength < 13 || !/^GIF8[79]a$/.test(textAt(view, 0, 6))) return false
  let at = 13 + colorTableSize(view.getUint8(10))
  while (byteAt(view, at) === 0x21) at = skipBlocks(view, at + 2)
  if (byteAt(view, at) !== 0x2c) return false
  const codeSize = byteAt(view, at + 10 + colorTableSize(byteAt(view, at + 9)))
  return codeSize >= 1 && codeSize <= 11
}

/** A BMP has a known header size, one plane, a legal color depth, and pixels that begin inside the file. */
function isBmp(view: DataView): boolean {
  if (view.byteLength < 26 || textAt(view, 0, 2) !== 'BM') return false
  const pixels = view.getUint32(10, true)
  const headerSize = view.getUint32(14, true)
  if (![12, 16, 40, 52, 56, 64, 108, 124].includes(headerSize) || view.byteLength < 14 + headerSize) return false
  const [planes, depth] = headerSize === 12 ? [22, 24] : [26, 28]
  const hasDepth = [0, 1, 2, 4, 8, 16, 24, 32].includes(view.getUint16(depth, true))
  return view.getUint16(planes, true) === 1 && hasDepth && pixels >= 14 + headerSize && pixels <= view.byteLength
}

function colorTableSize(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

/** Each block tells its length, and an empty one ends the chain. */
function skipBlocks(view: DataView, start: number): number {
  let at = start
  while (byteAt(view, at) > 0) at += 1 + byteAt(view, at)
  return at + 1
}

/** Bytes behind the end count as zero. */
function byteAt(view: DataView, at: number): number {
  return at < view.byteLength ? view.getUint8(at) : 0
}

function textAt(view: DataView, at: number, length: number): string {
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, length))
}
