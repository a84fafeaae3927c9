import { expect, test } from 'vitest'
import { findImageType } from '../../../../src/server/domain/guest/image-types.ts'
import { type PictureType, readPicture } from '../../../helpers/documents/multipart.ts'

const types: [PictureType, string][] = [
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['bmp', 'image/bmp'],
]

test.each(types)('a %s is known by its content', (type, contentType) => {
  expect(findImageType(readPicture(type))).toBe(contentType)
})

test.each(types)('a %s stays one with bytes behind its end, and inside a larger buffer', (type, contentType) => {
  const picture = readPicture(type)
  expect(findImageType(Buffer.concat([picture, Buffer.alloc(1000)]))).toBe(contentType)
  expect(findImageType(Buffer.concat([Buffer.from('before'), picture]).subarray(6))).toBe(contentType)
})

test.each(types)('a %s cut anywhere in its beginning is none, or still the same', (type, contentType) => {
  const picture = readPicture(type)
  for (let length = 0; length < picture.length; length++) {
    expect([undefined, contentType]).toContain(findImageType(picture.subarray(0, length)))
  }
  expect(findImageType(picture.subarray(0, 5))).toBeUndefined()
})

test('text that begins like an image is none', () => {
  for (const text of [
    '',
    'BM',
    'BMW is a maker of cars, and this sentence is long enough to look like a header of a bitmap.',
    'GIF89a is the name of a format, written in a sentence that is long enough.',
    'GIF89a,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,',
    'GIF87a!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!',
    '\x89PNG\r\n\x1a\n and then some text that is no header of a picture',
    '\xff\xd8\xff and text',
    'PNG',
    '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
    '%PDF-1.7',
    'RIFF\x24\x00\x00\x00WEBPVP8 ',
    'II*\x00\x08\x00\x00\x00',
  ]) {
    expect(findImageType(Buffer.from(text, 'latin1')), text).toBeUndefined()
  }
})

test('a picture without width or height is none', () => {
  const picture = readPicture('png')
  picture.fill(0, 16, 20)
  expect(findImageType(picture)).toBeUndefined()
})
