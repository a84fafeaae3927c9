import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type BillingServer, call, envelope, SECRET, senderFault, startBilling } from '../../helpers/documents/soap.ts'

const good = call('createServiceToken', { secret: SECRET })
const wrapped = (content: string) => envelope(`<ws:createServiceToken>${content}</ws:createServiceToken>`)
/** Repeats a pattern until the text has 64 KiB, which is the maximum that the server reads. */
const filled = (pattern: (i: number) => string, bytes = 60_000) => {
  const parts: string[] = []
  for (let i = 0, length = 0; length < bytes; i++) {
    const part = pattern(i)
    parts.push(part)
    length += part.length
  }
  return parts.join('')
}
const entities = Array.from({ length: 20 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('')
const bomb = `<?xml version="1.0"?><!DOCTYPE e [<!ENTITY e0 "ha">${entities}]>${wrapped('<secret>&e20;</secret>')}`
const external = `<!DOCTYPE e [<!ENTITY x SYSTEM "file:///etc/passwd">]>${wrapped('<secret>&x;</secret>')}`

/** The attack must use less than 2 seconds of processor time. Directly after it, a valid request must succeed. */
async function expectAnswer<T>(server: BillingServer, attack: () => Promise<T>): Promise<T> {
  const before = process.cpuUsage()
  const answer = await attack()
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(2000)
  expect(await server.send(good)).toMatchObject({ status: 200 })
  return answer
}

test.each([
  ['an entity bomb', bomb],
  ['an external entity', external],
  ['a document type inside the root', wrapped('<!DOCTYPE e [<!ENTITY x "y">]><secret>&x;</secret>')],
  ['an external schema by processing instruction', `<?xml-stylesheet href="http://127.0.0.1:1/x"?>${good}`],
  ['deep nesting', wrapped(filled(() => '<a>'))],
  ['deep nesting with closed elements', wrapped('<a>'.repeat(8000) + '</a>'.repeat(8000))],
  ['an element with as many attributes as fit', wrapped(`<secret ${filled((i) => `a${i}="" `)} a1=""/>`)],
  ['thousands of namespace declarations', wrapped(`<b ${filled((i) => `xmlns:n${i}="u" `)}><n0:x/><y:z/></b>`)],
  ['a prefix that is bound in thousands of elements', wrapped(`${filled((i) => `<n:x xmlns:n="${i}"/>`)}<n:x/>`)],
  ['many references followed by a bare ampersand', wrapped(`<secret>${filled(() => '&amp;')}&</secret>`)],
  ['many ampersands', wrapped(`<secret>${filled(() => '&')}</secret>`)],
  ['a tag that is not closed', wrapped(`<secret ${filled(() => ' ')}`)],
  ['an attribute that is not closed', wrapped(`<secret a="${filled(() => 'x')}`)],
  ['a comment that is not closed', wrapped(`<!--${filled(() => '-x')}`)],
  ['many comments that are not closed', wrapped(filled(() => '<!--'))],
  ['a CDATA section that is not closed', wrapped(`<![CDATA[${filled(() => ']]')}`)],
  ['brackets', wrapped(filled(() => '<'))],
  ['invalid bytes', Buffer.concat([Buffer.from(good.slice(0, 80)), Buffer.from([0xc3, 0x28, 0xff, 0x00])])],
  ['an overlong encoding of <', Buffer.concat([Buffer.from([0xc0, 0xbc]), Buffer.from(good)])],
  ['a NUL character', good.replace(SECRET, '1\u00002')],
])('the server rejects %s with a sender fault', async (_, body) => {
  const server = await startBilling()
  const reply = await expectAnswer(server, () => server.send(body))
  expect(reply).toEqual(senderFault('Client', reply))
})

test('a message of 1 MB with 100,000 attributes is rejected with 413', async () => {
  const server = await startBilling()
  const message = wrapped(`<secret ${filled((i) => `a${i}="" `, 1_000_000)}/>`)
  const reply = await expectAnswer(server, () => server.send(message))
  expect(reply.status).toBe(413)
  const zipped = await expectAnswer(server, () => server.send(gzipSync(message), { 'content-encoding': 'gzip' }))
  expect(zipped.status).toBe(413)
})

test('a gzip bomb is rejected with 413', async () => {
  const server = await startBilling()
  const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024))
  expect(bomb.length).toBeLessThan(64 * 1024)
  const reply = await expectAnswer(server, () => server.send(bomb, { 'content-encoding': 'gzip' }))
  expect(reply.status).toBe(413)
})

/** Sends these bytes and closes the client's side of the connection. Then reads until the server closes its side. */
async function exchange(server: BillingServer, head: string[], body: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(server.address)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  const lines = ['POST /iap/ws/RTCService?wsdl HTTP/1.1', `host: ${hostname}`, 'content-type: text/xml', ...head]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  socket.end(body)
  return text(socket)
}

test('a request whose Content-Length exceeds its body is rejected with 400', async () => {
  const server = await startBilling()
  const answer = await expectAnswer(server, () => exchange(server, [`content-length: ${good.length + 100}`], good))
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
})

test('a request whose Content-Length is smaller than its body is rejected', async () => {
  const server = await startBilling()
  const answer = await expectAnswer(server, () => exchange(server, ['content-length: 100', 'connection: close'], good))
  expect(answer).toMatch(/^HTTP\/1\.1 (400 |500 [\s\S]*<faultcode>soap:Client<\/faultcode>)/)
})

test('a request with both Content-Length and chunked transfer is rejected with 400', async () => {
  const server = await startBilling()
  const head = [`content-length: ${good.length}`, 'transfer-encoding: chunked']
  expect(await expectAnswer(server, () => exchange(server, head, good))).toMatch(/^HTTP\/1\.1 400 /)
})

test('a truncated gzip body is rejected with a sender fault', async () => {
  const server = await startBilling()
  const zipped = gzipSync(good)
  for (const length of [1, 10, 20, zipped.length - 1]) {
    const reply = await server.send(zipped.subarray(0, length), { 'content-encoding': 'gzip' })
    expect(reply).toEqual(senderFault('Client', reply))
  }
})

test('HTTP/1.0 requests and requests with Expect: 100-continue succeed', async () => {
  const server = await startBilling()
  const length = `content-length: ${good.length}`
  const expecting = await exchange(server, [length, 'expect: 100-continue', 'connection: close'], good)
  expect(expecting).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/)
  const { hostname, port } = new URL(server.address)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  socket.end(`POST /iap/ws/RTCService HTTP/1.0\r\ncontent-type: text/xml\r\n${length}\r\n\r\n${good}`)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*connection: close[\s\S]*<output>\w{96}<\/output>/i)
})
