import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { buildTestApp, listen } from '../../helpers/build-test-app.ts'

/** Uses a raw socket, because an HTTP client would combine repeated headers. */
async function send(lines: string[]): Promise<string> {
  const { port } = new URL(await listen(buildTestApp().app))
  const socket = connect(Number(port), '127.0.0.1')
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk
  })
  socket.end([...lines, 'Host: localhost', 'Connection: close', '', ''].join('\r\n'))
  await once(socket, 'close')
  return text
}

const GET = 'GET /wallet/cmn/v2.0/device/available?modelName=VM-S100&serviceType=WALLET HTTP/1.1'

test('a repeated partnerCode header is rejected as an invalid parameter', async () => {
  const answer = await send([GET, 'partnerCode: partner-1001', 'PARTNERCODE: partner-1001'])
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer).toContain('"resultCode":"CMN1N1002"')
  expect(answer).toContain('partnerCode')
})

test('the content type of a wallet response has the documented spelling', async () => {
  const answer = await send([GET, 'partnercode: partner-1001'])
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(answer).toMatch(/\r\ncontent-type: application\/json;charset=UTF-8\r\n/i)
})
