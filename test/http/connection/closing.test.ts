import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { asGuest, buildTestApp, listen } from '../../helpers/build-test-app.ts'

test.each([
  ['has sent nothing', ''],
  ['has sent half a head', 'POST /subscriptions HTTP/1.1\r\nHost: x\r\n'],
  ['has sent half a body', 'POST /_control/tokens HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf'],
  ['has sent a request, and half of the next', 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\nGET /health/li'],
])(
  'a connection that %s holds no close up, and a request that has arrived finishes',
  async (_, bytes) => {
    const { app } = buildTestApp()
    const address = await listen(app)
    const fault = { match: { operation: 30 }, delayMs: 1500 }
    await app.inject({ method: 'POST', url: '/_control/faults', payload: fault })
    const accepted = once(app.server, 'connection')
    const socket = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {})
    await accepted
    socket.resume().write(bytes)
    const arrived = new Promise<void>((resolve) => {
      app.server.on('request', ({ url }) => url?.startsWith('/stg') && resolve())
    })
    const reply = fetch(`${address}/stg/us/guest/zipCode?zipCode=07660`, { headers: asGuest() })
    await arrived
    const ended = once(socket, 'close')
    await app.close()
    expect((await reply).status).toBe(200)
    await ended
  },
  8000,
)
