import { expect, test } from 'vitest'
import { findImageType } from '../../../../src/server/domain/guest/symptom-images.ts'
import { type PictureType, readPicture } from '../../../helpers/documents/multipart.ts'

const types: [PictureType, string][] = [
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['bmp', 'image/bmp'],
]

test.each(types)('a %s file is recognized by its content', (type, contentType) => {
  expect(findImageType(readPicture(type))).toBe(contentType)
})

test.each(types)('a %s file is recognized with bytes after it or inside a larger buffer', (type, contentType) => {
  const picture = readPicture(type)
  expect(findImageType(Buffer.concat([picture, Buffer.alloc(1000)]))).toBe(contentType)
  expect(findImageType(Buffer.concat([Buffer.from('before'), picture]).subarray(6))).toBe(contentType)
})

test.each(types)('a %s file that is cut off within its magic number is not recognized', (type, contentType) => {
  const picture = readPicture(type)
  const magicNumber = { png: 8, jpg: 3, gif: 6, bmp: 2 }[type]
  for (let length = 0; length <= magicNumber; length++) {
    expect(findImageType(picture.subarray(0, length))).toBe(length < magicNumber ? undefined : contentType)
  }
})

test('content that is not an image is not recognized', () => {
  for (const text of [
    '',
    'A sentence that is long enough to look like a file.',
    ' BM',
    'GIF88a',
    '\x89PNG\n\x1a\n and then some text',
    '\xff\xd8 and text',
    'PNG',
    '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
    '%PDF-1.7',
    'RIFF\x24\x00\x00\x00WEBPVP8 ',
    'II*\x00\x08\x00\x00\x00',
  ]) {
    expect(findImageType(Buffer.from(text, 'latin1')), text).toBeUndefined()
  }
})
