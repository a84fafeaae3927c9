import { connect } from 'node:net'
import { newTicket } from '../../test/helpers/records.ts'
import { type Ground, inWorld, sending, soapCall, times } from './ground.ts'
import { readParts, writeParts } from '../../test/helpers/documents/snapshots.ts'

const guest = { 'request-source': 'vendor.com' }
const FEEDBACK = '/stg/us/guest/customerFeedback'
const SOAP = '/iap/ws/RTCService'
const prefixes = (count: number, name = 'p') => times(count, (i) => ` xmlns:${name}${i.toString(36)}="u"`).join('')

/** Each of these requests has an allowed size and is designed to block the event loop. */
export async function measureHostileRequests(ground: Ground): Promise<void> {
  await inWorld(ground, 'soap', (world) => measureSoap(ground, world))
  await inWorld(ground, 'faults', (world) => measureFaults(ground, world))
  await inWorld(ground, 'values', (world) => measureValues(ground, world))
  await inWorld(ground, 'upload', (world) => measureUpload(ground, world))
}

async function measureSoap({ call, measure, send }: Ground, world: string): Promise<void> {
  const many = soapCall(times(990, () => '<a xmlns:b="u"/>').join(''), prefixes(2500))
  const most = soapCall(times(500, () => '<a xmlns:z="u" z:c=""/>').join(''), prefixes(98))
  await call('a SOAP message of 64 KB', 500, world + SOAP, soapCall('<secret/>'.repeat(7000)))
  await call('SOAP: 2,500 prefixes, declared once more in 990 elements', 500, world + SOAP, many)
  await call('SOAP: as many prefixes, attributes and elements as are taken', 500, world + SOAP, most)
  const together = () => Promise.all(times(40, (i) => send(world + SOAP, i % 2 ? many : most, 500)))
  await measure('20 of each at once', together)
  await call('SOAP: its journal, searched', 200, `${world}/_control/journal?q=nowhere`)
  await call('SOAP: its journal as an archive', 200, `${world}/_control/journal?format=har`)
}

async function measureFaults({ call, send }: Ground, world: string): Promise<void> {
  const comment = { rating: 5, comment: 'fine' }
  // An object counts as four values. A body may contain at most 10,000 values.
  const kinds: [count: number, what: string, make: (i: number) => unknown][] = [
    [9000, 'numbers', (i) => i],
    [2200, 'objects', (i) => ({ a: i, b: { c: 'x' } })],
  ]
  for (const [count, what, make] of kinds) {
    // The lists of a fault may contain 100 entries.
    const [list, wanted] = [times(count, make), times(99, (i) => make(count - 1 - i))]
    for (let i = 0; i < 100; i++) {
      const match = { body: { list: [...wanted, make(count + i)] } }
      await send(`${world}/_control/faults`, sending('POST', { match, delayMs: 1 }))
    }
    await call(
      `100 faults with lists of 100, and a body of ${count} ${what}`,
      200,
      world + FEEDBACK,
      sending('POST', { ...comment, list }, guest),
    )
    await send(`${world}/_control/faults`, { method: 'DELETE' })
  }
}

async function measureValues({ call, send }: Ground, world: string): Promise<void> {
  const snapshot = readParts(await send(`${world}/_control/snapshot`))
  const { records } = snapshot
  const restore = (name: string, status: number, change: object) =>
    call(name, status, `${world}/_control/snapshot`, sending('PUT', writeParts({ ...snapshot, ...change })))
  const setting = (value: unknown) => ({ records: { ...records, settings: [{ name: 'long', value }] } })
  await restore('a snapshot of one value of 40 MB', 400, setting('x'.repeat(40_000_000)))
  await restore('a snapshot of one value of 7.9 MB', 400, setting('x'.repeat(7_900_000)))
  await restore('a snapshot of one record of 4 million values', 400, setting(times(4_000_000, () => 1_234_567)))
  await restore('a snapshot of 500,000 images', 400, {
    blobs: Object.fromEntries(times(500_000, (i) => [`${i}`.padStart(64, '0'), ''])),
  })
  await restore('a snapshot of one image of 5 MB', 400, { blobs: { ['0'.repeat(64)]: 'A'.repeat(6_666_668) } })
  await restore('a snapshot of a value of 3.9 MB, taken', 204, setting('x'.repeat(3_900_000)))
  await call('a snapshot with a value of 3.9 MB', 200, `${world}/_control/snapshot`)
  const names = `{"rating":5,"comment":"fine",${times(9000, (i) => `"name ${i}":"${'x'.repeat(10)}"`).join()}}`
  for (let i = 0; i < 10; i++) await send(world + FEEDBACK, sending('POST', names, guest))
  const query = times(1000, (i) => `parameter${i}=${i}`)
    .join('&')
    .slice(0, 14_000)
  for (let i = 0; i < 15; i++) await send(`${world}/stg/us/guest/zipCode?zipCode=07660&${query}`, { headers: guest })
  const states = times(100, (i) => `the clock is at 2027-01-01T00:00:00Z${' '.repeat(i)}x`)
  await call(
    '100 states of a pact that there are not',
    400,
    `${world}/_control/pact-states`,
    sending('POST', { states }),
  )
  await call('coverage of 200 KB of names', 200, `${world}/_control/coverage`)
  const empty = { locations: times(4999, () => ({})) }
  await call('a card with 5,000 empty objects', 200, `${world}/_control/wallet/check`, sending('POST', empty))
  await send(`${world}/_control/variation`, sending('PUT', {}))
  const dealer = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
  for (const kind of ['json-order', 'json-extra', 'json-escape', 'json-space']) {
    await send(`${world}/_control/variation`, sending('PUT', { kinds: [kind] }))
    await call(`${kind} on a page of 100`, 200, `${world}/stg/us/dealer/tickets?limit=100`, { headers: dealer })
  }
}

async function measureUpload({ measure, send, url }: Ground, world: string): Promise<void> {
  const srid = '5999999999'
  const ticket = newTicket({ srid, ticketNumber: '8999999999' })
  await send(`${world}/_control/records/tickets/${srid}`, sending('PUT', ticket))
  const part = '--B\r\n'
  const body = part.repeat(500_000)
  const head = [
    `POST ${world}/stg/us/guest/serviceRequest/asset/symptomImage?srid=${srid} HTTP/1.1`,
    'host: localhost',
    'request-source: vendor.com',
    'content-type: multipart/form-data; boundary=B',
    `content-length: ${body.length}`,
    'connection: close',
  ]
  const upload = `${head.join('\r\n')}\r\n\r\n${body}`
  await measure('an upload of 2.5 MB of boundaries', () => sendRaw(url, upload, 1, 400))
  const get = (path: string) => `GET ${world}${path} HTTP/1.1\r\nhost: localhost\r\n${identity}\r\n\r\n`
  const identity = 'request-source: vendor.com\r\nvendorus-profId: dealer-erin'
  const close = `GET /health/live HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`
  for (const path of ['/openapi/support.json', '/stg/us/dealer/tickets?limit=100']) {
    await measure(`300 pipelined GET ${path}`, () => sendRaw(url, get(path).repeat(300) + close, 301, 200))
  }
}

/** Waits until the server closes the connection. All responses must have the given status. */
async function sendRaw(url: string, text: string, replies: number, status: number): Promise<void> {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname, () => socket.write(text))
  const pieces: Buffer[] = []
  // If the server rejects a body, it closes the connection before it has read the entire body.
  const closed = new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve))
  socket.on('data', (piece: Buffer) => pieces.push(piece))
  await closed
  const lines =
    Buffer.concat(pieces)
      .toString('latin1')
      .match(/HTTP\/1\.1 \d{3} /g) ?? []
  if (lines.length !== replies || lines.some((line) => !line.includes(` ${status} `))) {
    throw new Error(`${text.slice(0, 100)}: ${lines.length} replies, ${[...new Set(lines)].join()}`)
  }
}
