import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { asWeb, buildTestApp, listen } from '../../helpers/build-test-app.ts'

const LARGE = 8 * 1024 * 1024

/** Sends the entire request before it reads anything, as proxies and simple clients do. */
async function sendThenRead(address: string, path: string, headers: Record<string, string>): Promise<string> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname).pause()
  onTestFinished(() => void socket.destroy())
  const lines = Object.entries({ host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}content-length: ${LARGE}\r\n\r\n`)
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.write(Buffer.alloc(LARGE), (error) => (error ? reject(error) : resolve()))
  })
  socket.resume()
  const [reply] = (await once(socket, 'data')) as [Buffer]
  return String(reply)
}

const image = '/stg/us/guest/serviceRequest/asset/symptomImage?srid=9410000001'

test('a client that never sends the request body gets an error response within seconds', async () => {
  const { hostname, port } = new URL(await listen(buildTestApp().app))
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  const started = performance.now()
  socket.write(`POST /unknown HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\ncontent-length: ${LARGE}\r\n\r\n`)
  const [reply] = (await once(socket, 'data')) as [Buffer]
  expect(String(reply)).toMatch('HTTP/1.1 404 ')
  // This takes about a second. If a body does not arrive, the server waits half a minute.
  expect(performance.now() - started).toBeLessThan(10_000)
})

describe.each(['keep-alive', 'close'])(
  'a client that reads only after sending everything, with connection: %s',
  (connection) => {
    test.each([
      ['an image that is too large', image, 'multipart/form-data; boundary=b', 400],
      ['JSON that is too large', '/stg/us/customerFeedback', 'application/json', 400],
      ['a SOAP message that is too large', '/iap/ws/RTCService', 'text/xml', 413],
      ['a body sent to an unknown path', '/unknown', 'application/json', 404],
    ])(
      'a client that reads only after sending everything gets the error response to %s',
      async (_, path, type, status) => {
        const address = await listen(buildTestApp().app)
        const reply = await sendThenRead(address, path, { ...asWeb('web-alice'), 'content-type': type, connection })
        expect(reply).toMatch(`HTTP/1.1 ${status} `)
        expect(reply).toMatch(new RegExp(`^connection: ${connection}\r$`, 'im'))
      },
    )
  },
)
