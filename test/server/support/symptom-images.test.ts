import { createHash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { Unavailable } from '../../../src/server/ports/failures.ts'
import { asApp, asWeb } from '../../helpers/build-test-app.ts'
import { START } from '../../helpers/test-ports.ts'
import { citedRules } from '../../helpers/documents/cited-rules.ts'
import { asTess, asToby, findingsOf } from '../../helpers/documents/dealer-portal.ts'
import {
  type FormPartDraft,
  multipartType,
  newForm,
  newImageForm,
  newPicture,
  type PictureType,
  readPicture,
} from '../../helpers/documents/multipart.ts'
import { buildUploadApp, IN_STORE, TICKET } from '../../helpers/documents/symptom-images.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const LIMIT = 5_000_000

test('operation 26 returns 200 with the stored image for a ticket or in-store request', async () => {
  const { upload, store, blobs } = await buildUploadApp()
  for (const request of [TICKET, IN_STORE]) {
    const picture = readPicture()
    const reply = await upload({ ticketNumber: request.ticketNumber }, newImageForm(picture, 'my screen.png'))
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({
      ...request,
      imageId: expect.stringMatching(/^IMG-/),
      fileName: 'my screen.png',
      contentType: 'image/png',
      size: picture.length,
      sha256: sha256(picture),
      sequence: 1,
      uploadedAt: START,
    })
    const record = (await store.tickets.get(request.srid)) ?? (await store.inStoreRequests.get(request.srid))
    expect(record?.images).toEqual([reply.json()])
    expect(await store.symptomImages.get(reply.json().imageId)).toEqual(reply.json())
    expect(Buffer.from((await blobs.get(sha256(picture)))!)).toEqual(picture)
  }
})

test.each<[PictureType, string]>([
  ['jpg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['bmp', 'image/bmp'],
  ['png', 'image/png'],
])('operation 26 returns 200 for a %s file with any file name and content type', async (type, contentType) => {
  const { upload } = await buildUploadApp()
  const form = newForm([{ fileName: 'notes.txt', type: 'application/pdf', content: readPicture(type) }])
  const reply = await upload({ srid: TICKET.srid }, form)
  expect([reply.statusCode, reply.json().contentType]).toEqual([200, contentType])
})

test('operation 26 returns 200 and stores the base name without control characters', async () => {
  const { upload } = await buildUploadApp()
  const names = {
    '../../etc/passwd': 'passwd',
    'C:\\fakepath\\bad\u0007.png': 'bad.png',
    '': 'image',
    ['ä'.repeat(300)]: 'ä'.repeat(255),
  }
  for (const [given, kept] of Object.entries(names)) {
    expect((await upload({ srid: TICKET.srid }, newImageForm(readPicture(), given))).json().fileName).toBe(kept)
  }
})

test('operation 26 decodes only those characters in a file name that browsers encode', async () => {
  const { upload } = await buildUploadApp()
  const names = {
    'x%221%22.png': 'x"1".png',
    'two%0D%0Alines.png': 'twolines.png',
    '100%25 a%2Fb.png': '100%25 a%2Fb.png',
  }
  for (const [given, kept] of Object.entries(names)) {
    expect((await upload({ srid: TICKET.srid }, newImageForm(readPicture(), given))).json().fileName).toBe(kept)
  }
})

test.each<[what: string, part: FormPartDraft]>([
  ['text', { name: 'note', content: 'x' }],
  ['JSON', { name: 'meta', type: 'application/json', content: '{"a":1}' }],
  ['broken JSON', { name: 'meta', type: 'application/json', content: '{' }],
  ['XML', { name: 'meta', type: 'application/xml; charset=utf-8', content: '<a/>' }],
  ['bytes', { name: 'meta', type: 'application/octet-stream', content: Buffer.alloc(300_000) }],
  ['a second file with another name', { name: 'thumbnail', fileName: 'b.png', content: readPicture() }],
])('operation 26 ignores a part with %s, before or after imageFile', async (_what, part) => {
  const { upload } = await buildUploadApp()
  const file = { fileName: 'a.png', type: 'image/png', content: readPicture() }
  for (const form of [newForm([part, file]), newForm([file, part])]) {
    const reply = await upload({ srid: TICKET.srid, ticketNumber: TICKET.ticketNumber }, form)
    expect([reply.statusCode, reply.json().fileName]).toEqual([200, 'a.png'])
  }
})

test('operation 26 returns 400 PayloadTooLargeError for an image of at least 5,000,000 bytes', async () => {
  const { upload, blobs } = await buildUploadApp()
  expect((await upload({ srid: TICKET.srid }, newImageForm(newPicture(LIMIT - 1)))).statusCode).toBe(200)
  for (const size of [LIMIT, LIMIT + 1, 2 * LIMIT]) {
    const picture = newPicture(size)
    const reply = await upload({ srid: TICKET.srid }, newImageForm(picture))
    expect([reply.statusCode, reply.json().error.code]).toEqual([400, 'PayloadTooLargeError'])
    expect(await blobs.get(sha256(picture))).toBeUndefined()
  }
})

test('operation 26 returns 400 for data that is not an image, and stores nothing', async () => {
  const { upload, blobs, store } = await buildUploadApp()
  for (const text of ['A sentence that goes on for a while', '<svg></svg>', 'GIF']) {
    const reply = await upload({ srid: TICKET.srid }, newImageForm(text, 'picture.png'))
    expect([reply.statusCode, reply.json().error.code]).toEqual([400, 'UnsupportedMediaTypeError'])
    expect(findingsOf(reply)).toEqual(['InvalidParameter body.imageFile'])
    expect(await blobs.get(sha256(Buffer.from(text)))).toBeUndefined()
  }
  expect((await store.tickets.get(TICKET.srid))?.images).toEqual([])
  // Input is validated before the record is searched.
  expect((await upload({ srid: '1234567890' }, newImageForm('text'))).statusCode).toBe(400)
})

test('operation 26 returns 400 LimitExceeded for the fifth image of a ticket', async () => {
  const { upload, blobs } = await buildUploadApp()
  for (const sequence of [1, 2, 3, 4]) expect((await upload()).json().sequence).toBe(sequence)
  const fifth = newPicture(500)
  const reply = await upload({ srid: TICKET.srid }, newImageForm(fifth))
  expect([reply.statusCode, reply.json().error.code]).toEqual([400, 'LimitExceeded'])
  expect(await blobs.get(sha256(fifth))).toBeUndefined()
})

test('operation 26 returns 400 LimitExceeded for the 10,001st image of a world', async () => {
  const { upload, blobs, store } = await buildUploadApp()
  const count = vi.spyOn(store.symptomImages, 'count').mockResolvedValueOnce(9999)
  expect((await upload()).statusCode).toBe(200)
  count.mockResolvedValueOnce(10_000)
  const further = newPicture(500)
  const reply = await upload({ srid: TICKET.srid }, newImageForm(further))
  expect([reply.statusCode, reply.json().error.code]).toEqual([400, 'LimitExceeded'])
  expect(citedRules(reply)).toEqual(['our choice: image-owners'])
  expect(await blobs.get(sha256(further))).toBeUndefined()
})

test('operation 26 stores only four of eight parallel uploads', async () => {
  const { upload, blobs, store } = await buildUploadApp()
  const pictures = Array.from({ length: 8 }, (_, i) => newPicture(1000, i))
  const replies = await Promise.all(pictures.map((each) => upload({ srid: IN_STORE.srid }, newImageForm(each))))
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 200, 200, 400, 400, 400, 400])
  const images = (await store.inStoreRequests.get(IN_STORE.srid))!.images
  expect(images.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4])
  const kept = await Promise.all(pictures.map(async (each) => (await blobs.get(sha256(each))) !== undefined))
  expect(kept).toEqual(replies.map(({ statusCode }) => statusCode === 200))
})

test('operation 26 does not delete the bytes of a stored image after a failed upload', async () => {
  const { upload, blobs, store } = await buildUploadApp()
  const { put } = blobs
  let puts = 0
  // At the second call, the record has been stored. But another instance, whose upload was rejected, has just deleted
  // the bytes.
  Object.assign(blobs, {
    put: async (digest: string, bytes: Uint8Array) => {
      if (++puts !== 2) return put(digest, bytes)
      await blobs.delete(digest)
      throw new Unavailable('the database is away')
    },
  })
  const picture = newPicture(500)
  expect((await upload({ srid: TICKET.srid }, newImageForm(picture))).statusCode).toBe(500)
  expect((await store.tickets.get(TICKET.srid))!.images).toHaveLength(1)
  expect(Buffer.from((await blobs.get(sha256(picture)))!)).toEqual(picture)
})

test('operation 26 returns 400 with all errors for a malformed form, srid and ticketNumber', async () => {
  const { upload } = await buildUploadApp()
  const reply = await upload({ srid: '12', ticketNumber: 'x' }, 'no form at all')
  expect(reply.statusCode).toBe(400)
  expect(findingsOf(reply)).toEqual([
    'InvalidParameter query.srid',
    'InvalidParameter query.ticketNumber',
    'MalformedBody body',
  ])
  expect(findingsOf(await upload({}))).toEqual(['InvalidParameter query.srid'])
  const other = await upload({ srid: TICKET.srid, ticketNumber: IN_STORE.ticketNumber })
  expect([other.statusCode, findingsOf(other)]).toEqual([400, ['Conflict query.ticketNumber']])
})

test('operation 26 returns 400 for a form without exactly one non-empty file named imageFile', async () => {
  const { upload } = await buildUploadApp()
  const file = { fileName: 'a.png', content: readPicture() }
  for (const [parts, finding] of [
    [[], 'InvalidParameter body.imageFile'],
    [[{ content: 'a field' }], 'InvalidParameter body.imageFile'],
    [[file, file], 'MalformedBody body'],
    [[{ ...file, name: 'another' }, { content: 'a field' }], 'MalformedBody body'],
    [[{ ...file, name: 'image' }], 'MalformedBody body'],
    [[{ ...file, content: '' }], 'MalformedBody body'],
    [[file, { name: '__proto__', content: 'x' }], 'MalformedBody body'],
    [Array.from({ length: 101 }, () => ({ content: '' })), 'MalformedBody body'],
  ] as const) {
    const reply = await upload({ srid: TICKET.srid }, newForm(parts))
    expect([reply.statusCode, findingsOf(reply)]).toEqual([400, [finding]])
  }
})

test('operation 26 returns 400 for an incomplete body and a wrong or missing content type', async () => {
  const { upload } = await buildUploadApp()
  const form = newImageForm()
  expect((await upload({ srid: TICKET.srid }, form.subarray(0, -10))).statusCode).toBe(400)
  for (const type of [
    'application/json',
    'image/png',
    'multipart/form-data',
    'multipart/form-data; boundary=other',
    multipartType.replace('boundary=', "boundary*=utf-8''"),
    multipartType.replace('boundary=', 'xboundary=other; boundary = '),
    '',
  ]) {
    expect((await upload({ srid: TICKET.srid }, form, undefined, type)).statusCode, type).toBe(400)
  }
  expect((await upload({ srid: TICKET.srid }, '', undefined, '')).statusCode).toBe(400)
})

test('the error for a form with LF line ends says that its lines end with CRLF', async () => {
  const { upload } = await buildUploadApp()
  const form = newImageForm().toString('latin1').replaceAll('\r\n', '\n')
  const reply = await upload({ srid: TICKET.srid }, Buffer.from(form, 'latin1'))
  expect(reply.json().error.details[0].message).toContain('. End each line with CRLF, and the form with --BOUNDARY--')
})

test.each([undefined, asWeb('test-user'), asWeb('somebody-else'), asApp('test-user'), asTess(), asToby()])(
  'operation 26 returns 200 regardless of the identity: %j',
  async (headers) => {
    const { upload } = await buildUploadApp()
    for (const { srid, ticketNumber } of [TICKET, IN_STORE]) {
      expect((await upload({ srid }, undefined, headers)).statusCode).toBe(200)
      expect((await upload({ ticketNumber }, undefined, headers)).statusCode).toBe(200)
    }
  },
)

test('operation 26 returns 404 for an unknown srid', async () => {
  const { upload } = await buildUploadApp()
  for (const headers of [undefined, asWeb('test-user'), asTess()]) {
    expect((await upload({ srid: '1234567890' }, undefined, headers)).statusCode).toBe(404)
  }
})

test('operation 26 returns 401 for a malformed identity', async () => {
  const { upload } = await buildUploadApp()
  expect((await upload(undefined, undefined, asWeb('ü'))).statusCode).toBe(401)
})

test('the journal contains the metadata of an uploaded image, but not its bytes', async () => {
  const { app, upload } = await buildUploadApp()
  await upload()
  await upload({ srid: '12' })
  const { entries } = (await app.inject('/_control/journal?operation=26')).json()
  const file = { fileName: 'picture.png', contentType: 'image/png', size: readPicture().length }
  expect(entries.map(({ request }: { request: { body: unknown } }) => request.body)).toEqual([
    { imageFile: file },
    { imageFile: file },
  ])
})
