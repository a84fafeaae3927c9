import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { asGuest, listen } from '../../helpers/build-test-app.ts'
import {
  type FormPartDraft,
  multipartType,
  newForm,
  newImageForm,
  newPicture,
} from '../../helpers/documents/multipart.ts'
import { readReply, sendRaw } from '../../helpers/raw-request.ts'
import { buildUploadApp, TICKET } from '../../helpers/documents/symptom-images.ts'

const path = `/stg/us/guest/serviceRequest/asset/symptomImage?srid=${TICKET.srid}`
const headers = { ...asGuest(), 'content-type': multipartType }

async function serve() {
  const { app, store } = await buildUploadApp()
  const address = await listen(app)
  const images = async () => (await store.tickets.get(TICKET.srid))!.images.length
  return { app, address, images }
}

test('a client can read the error response while it sends a too large image', async () => {
  const { address, images } = await serve()
  const reply = await fetch(address + path, { method: 'POST', headers, body: newImageForm(newPicture(30_000_000)) })
  expect(reply.status).toBe(400)
  expect(await reply.json()).toMatchObject({ error: { code: 'PayloadTooLargeError', details: [{ target: 'body' }] } })
  expect(await images()).toBe(0)
})

test('an image can be sent in chunks without a content-length', async () => {
  const { address, images } = await serve()
  const form = newImageForm(newPicture(300_000))
  const body = new ReadableStream({
    start(controller) {
      for (let at = 0; at < form.length; at += 1000) controller.enqueue(form.subarray(at, at + 1000))
      controller.close()
    },
  })
  const reply = await fetch(address + path, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
  expect([reply.status, await images()]).toEqual([200, 1])
})

test('an incomplete upload returns 400 and stores nothing', async () => {
  const { address, images } = await serve()
  const form = newImageForm(newPicture(1000))
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${lines.join('')}`
  const half = form.subarray(0, 600)
  const cut = Buffer.concat([Buffer.from(`${head}content-length: ${half.length}\r\n\r\n`), half])
  expect(readReply(await sendRaw(address, cut)).status).toBe(400)
  const chunk = Buffer.from(`${head}transfer-encoding: chunked\r\n\r\n${half.length.toString(16)}\r\n`)
  const broken = Buffer.concat([chunk, half, Buffer.from('\r\nno chunk size\r\n')])
  expect(readReply(await sendRaw(address, broken)).status).toBe(400)
  expect(await images()).toBe(0)
})

test('form parts after an error are not parsed', async () => {
  const { app, address, images } = await serve()
  let parsed = 0
  let raw: IncomingMessage | undefined
  app.server.prependOnceListener('request', (request: IncomingMessage) => {
    raw = request
    const emit = request.emit.bind(request)
    request.emit = (event: string, ...values: unknown[]) => {
      if (event === 'data' && request.listenerCount(event) > 0) parsed += (values[0] as Buffer).length
      return emit(event, ...values)
    }
  })
  const type = 'multipart/form-data; boundary=B'
  const body = '--B\r\n'.repeat(500_000)
  const reply = await fetch(address + path, { method: 'POST', headers: { ...headers, 'content-type': type }, body })
  expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('parts limit')])
  expect([parsed < 1000, raw!.listenerCount('data')]).toEqual([true, 0])
  expect(await images()).toBe(0)
})

test('the client can read the error response for a form of 6 MB or more', async () => {
  const { app, address, images } = await serve()
  let parsed = 0
  app.server.prependListener('request', (request: IncomingMessage) => {
    const emit = request.emit.bind(request)
    request.emit = (event: string, ...values: unknown[]) => {
      if (event === 'data' && request.listenerCount(event) > 0) parsed += (values[0] as Buffer).length
      return emit(event, ...values)
    }
  })
  const field = (size: number) => ({ name: 'note', content: Buffer.alloc(size, 'x') })
  const image = { fileName: 'picture.png', type: 'image/png', content: newPicture(1000) }
  const send = async (...parts: FormPartDraft[]) => {
    parsed = 0
    const reply = await fetch(address + path, { method: 'POST', headers, body: newForm(parts) })
    return [reply.status, await reply.text()]
  }
  const told = expect.stringMatching(
    /"PayloadTooLargeError".*a form must be smaller than 6 MB.*"source":"our choice: image-form"/,
  )
  for (const fields of [Array.from({ length: 50 }, () => field(900_000)), [field(30_000_000)]]) {
    expect(await send(...fields, image)).toEqual([400, told])
    expect(parsed).toBeLessThan(6_000_000)
    expect(await images()).toBe(0)
  }
  const many = Array.from({ length: 99 }, () => field(10_000))
  expect((await send(...many, { ...image, content: newPicture(4_999_999) }))[0]).toBe(200)
  expect(await images()).toBe(1)
})
