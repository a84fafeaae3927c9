import { IMAGE_SIZE_LIMIT, type ImageType } from '#contract/records/guest/symptom-image.ts'
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

const MAGIC_NUMBERS: readonly (readonly [start: string, type: ImageType])[] = [
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['BM', 'image/bmp'],
]

/** File names and declared types are not trusted. Images are served with `nosniff` and a sandbox policy. */
export function findImageType(bytes: Uint8Array): ImageType | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 8))
  return MAGIC_NUMBERS.find(([magic]) => start.startsWith(magic))?.[1]
}
