import { createServer, type RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createInProcess } from '../../../src/server/in-process/fetch.ts'

function reach(listener: RequestListener) {
  const inProcess = createInProcess(createServer(listener))
  onTestFinished(() => inProcess.close())
  return (init: RequestInit & { duplex?: 'half' }, path = '/a') =>
    inProcess.fetch(new Request(`http://vendor.example${path}`, { method: 'POST', ...init }))
}

function openBody() {
  let push!: (piece?: string) => void
  let body!: ReadableStream<Uint8Array>
  const left = new Promise<unknown>((resolve) => {
    body = new ReadableStream({
      start(controller) {
        push = (piece) => (piece === undefined ? controller.close() : controller.enqueue(Buffer.from(piece)))
      },
      cancel: resolve,
    })
  })
  return { init: { body, duplex: 'half' as const }, left, push }
}

const echo = () =>
  reach((request, reply) => {
    const tell = (body: string) => reply.end(JSON.stringify([request.headers['content-length'] ?? 'open', body]))
    text(request).then(tell, () => reply.destroy())
  })

test('an abort signal ends a request while its body is being sent', async () => {
  let arrive!: () => void
  const arrival = new Promise<void>((resolve) => (arrive = resolve))
  const ask = reach((request) => void request.once('data', arrive))
  const { init, left, push } = openBody()
  const stop = new AbortController()
  const asked = ask({ ...init, signal: stop.signal })
  push('begun')
  await arrival
  stop.abort()
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
  await left
  const atOnce = new AbortController()
  const never = ask({ ...openBody().init, signal: atOnce.signal })
  atOnce.abort()
  await expect(never).rejects.toMatchObject({ name: 'AbortError' })
})

test('a response is delivered before the end of the request body', async () => {
  const ask = reach((request, reply) => {
    request.resume()
    reply.writeHead(404).end('none')
  })
  const { init, left } = openBody()
  const reply = await ask(init)
  expect([reply.status, await reply.text()]).toEqual([404, 'none'])
  await left
})

test('a slow request body arrives in chunks as it is sent, with any method', async () => {
  for (const method of ['POST', 'DELETE']) {
    const { init, push } = openBody()
    let seen!: () => void
    const begun = new Promise<void>((resolve) => (seen = resolve))
    const ask = reach(async (request, reply) => {
      request.once('data', seen)
      reply.end(await text(request))
    })
    const asked = ask({ ...init, method })
    push('one ')
    await begun
    push('two')
    push()
    expect(await (await asked).text()).toBe('one two')
  }
})

test('a request with a complete body, even a form, has a content-length', async () => {
  const ask = echo()
  const told = async (body: string | FormData) => (await ask({ body })).json()
  expect(await told('text')).toEqual(['4', 'text'])
  expect(await told('')).toEqual(['0', ''])
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(2_000_000)]))
  expect(Number(((await told(form)) as [string])[0])).toBeGreaterThan(2_000_000)
})

test('fetch rejects with a TypeError for a failing, already read or non-byte body', async () => {
  const ask = echo()
  const { init } = openBody()
  const failing = new ReadableStream({ pull: (controller) => controller.error(new Error('broken')) })
  await expect(ask({ ...init, body: failing })).rejects.toThrow(TypeError)
  const words = new ReadableStream({ start: (controller) => controller.enqueue('words') })
  await expect(ask({ ...init, body: words })).rejects.toThrow(TypeError)
  const inProcess = createInProcess(createServer())
  const read = new Request('http://vendor.example/', { method: 'POST', body: 'text' })
  await read.text()
  await expect(inProcess.fetch(read)).rejects.toThrow(TypeError)
})

test('a streamed body is not sent again after a redirect with 307 or 303', async () => {
  const ask = reach((request, reply) => {
    const [, status = '200'] = /(\d+)/.exec(request.url!) ?? []
    reply.writeHead(Number(status), { location: '/b' }).end(request.method)
  })
  await expect(ask(openBody().init, '/307')).rejects.toThrow(TypeError)
  expect(await (await ask(openBody().init, '/303')).text()).toBe('GET')
})
