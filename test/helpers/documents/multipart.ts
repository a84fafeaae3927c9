import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type PictureType = 'png' | 'jpg' | 'gif' | 'bmp'

export function readPicture(type: PictureType = 'png'): Buffer {
  return readFileSync(join(import.meta.dirname, '../images', `picture.${type}`))
}

/** Image files may have additional bytes at the end. A different `mark` gives a different image of equal size. */
export function newPicture(size: number, mark = 0): Buffer {
  return Buffer.concat([readPicture(), Buffer.alloc(size, mark)]).subarray(0, size)
}

export interface FormPartDraft {
  name?: string
  fileName?: string
  type?: string
  content: Buffer | string
}

export const BOUNDARY = 'a-boundary'
export const multipartType = `multipart/form-data; boundary=${BOUNDARY}`

/** Encodes the form as browsers do. */
export function newForm(parts: readonly FormPartDraft[]): Buffer {
  const pieces = parts.flatMap(({ name = 'imageFile', fileName, type, content }) => [
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"`,
    fileName === undefined ? '' : `; filename="${fileName}"`,
    type === undefined ? '\r\n\r\n' : `\r\ncontent-type: ${type}\r\n\r\n`,
    content,
    '\r\n',
  ])
  return Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece)))
}

export function newImageForm(content: Buffer | string = readPicture(), fileName = 'picture.png'): Buffer {
  return newForm([{ fileName, type: 'image/png', content }])
}
