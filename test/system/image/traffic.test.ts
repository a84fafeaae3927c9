import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { FormData } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import type { Store } from '../../../src/server/ports/store.ts'
import { collections } from '../../../src/contract/records/collections.ts'
import { newTicketBody, putAppointmentWorld, slot } from '../../helpers/documents/appointments.ts'
import { asTess } from '../../helpers/documents/dealer-portal.ts'
import { newCustomer } from '../../helpers/records.ts'
import { call as soapCall } from '../../helpers/documents/soap.ts'
import * as composition from './composition.ts'

const { addressOf, compose, container, docker, emit, inspect, onlyAt, open, PROXY, send, subscribe, upTo } = composition

const ZIP = '/stg/us/guest/zipCode?zipCode=07660'
const WEB = { 'request-source': 'vendor.com' }
const MOST = 60

test('the proxy uses both instances, and a client can select one by its number', async () => {
  const both = [await addressOf(1), await addressOf(2)]
  const seen = new Set<unknown>()
  for (let i = 0; i < MOST; i++) {
    const { status, headers } = await send('GET', '/health/ready')
    expect(status).toBe(200)
    seen.add(headers['x-instance'])
  }
  expect([...seen].toSorted()).toEqual(both.toSorted())
  for (const number of [1, 2]) {
    const { headers } = await send('GET', ZIP, undefined, { ...WEB, ...onlyAt(number) })
    expect(headers['x-instance']).toBe(both[number - 1])
  }
})

test('only the proxy has a published port, on loopback, and containers are read-only and unprivileged', async () => {
  for (const name of (await compose('ps', '--format', '{{.Name}}')).split('\n')) {
    const ports = await inspect<Record<string, { HostIp: string }[] | null>>(name, '.NetworkSettings.Ports')
    const published = Object.values(ports).flatMap((each) => (each ?? []).map(({ HostIp }) => HostIp))
    expect({ name, published }).toEqual({ name, published: name === container('proxy') ? ['127.0.0.1'] : [] })
  }
  for (const name of [container('proxy'), container('server', 1), container('server', 2)]) {
    expect(await inspect(name, '.HostConfig')).toMatchObject({ ReadonlyRootfs: true, CapDrop: ['ALL'] })
    const status = await docker('exec', name, 'cat', '/proc/1/status')
    expect(status).toMatch(/^Uid:\t[1-9]/m)
    expect(status).toMatch(/^CapBnd:\t0+$/m)
    expect(status).toMatch(/^NoNewPrivs:\t1$/m)
    await expect(docker('exec', name, 'touch', '/written')).rejects.toThrow(/Read-only|Permission denied/)
  }
})

test('a support request and SOAP calls succeed, and the WSDL contains the public address', async () => {
  expect((await send('GET', ZIP, undefined, WEB)).body).toMatchObject({ city: 'Ridgefield Park' })
  const body = soapCall('createServiceToken', { secret: '123456789012' })
  const soap = await send('POST', '/iap/ws/RTCService', body, { 'content-type': 'text/xml' })
  const token = /<output>(\w{96})<\/output>/.exec(soap.text)?.[1] ?? ''
  const asked = soapCall('getSubscriptionStatus', { purchaseID: 'purchase-active', serviceToken: token })
  for (let i = 0; i < 4; i++) {
    const { text } = await send('POST', '/iap/ws/RTCService', asked, { 'content-type': 'text/xml' })
    expect(text).toContain('<subscriptionStatus>ACTIVE</subscriptionStatus>')
  }
  expect((await send('GET', '/iap/ws/RTCService?wsdl')).text).toContain(`location="${PROXY}/iap/ws/RTCService"`)
})

test('links start with the address that the client used, despite forged forwarding headers', async () => {
  const forged = {
    'x-forwarded-host': 'forged.example',
    'x-forwarded-proto': 'https',
    forwarded: 'host=forged.example',
  }
  expect((await subscribe(forged)).registrationUrl).toMatch(`${PROXY}/filters/`)
  expect((await subscribe({ host: 'client.example:81' })).registrationUrl).toMatch(/^http:\/\/client\.example:81\//)
  // The proxy does not use HTTPS yet. But if it reports HTTPS, links must use it.
  const wsdl = 'http://server:8080/iap/ws/RTCService?wsdl'
  const told = await docker('exec', container('proxy'), 'wget', '-qO-', '--header', 'X-Forwarded-Proto: https', wsdl)
  expect(told).toContain('location="https://server:8080/')
})

test('the control API requires its key and rejects host names used for DNS rebinding', async () => {
  expect((await send('GET', '/_control/status')).status).toBe(200)
  expect((await send('GET', '/_control/status', undefined, { 'x-control-key': 'another' })).status).toBe(401)
  for (const path of ['/_control/status', '/w/default/_control/status', '//%5Fcontrol/status', '/_console']) {
    const { status, headers } = await send('GET', path, undefined, { host: 'rebound.example:8080' })
    expect([path, status, headers['x-instance']]).toEqual([path, 403, undefined])
  }
  expect((await send('GET', ZIP, undefined, { ...WEB, host: 'rebound.example:8080' })).status).toBe(200)
})

test('a stream address from one instance can be opened on the other instance', async () => {
  for (const [one, other] of [
    [1, 2],
    [2, 1],
  ] as const) {
    const subscription = await subscribe(onlyAt(one))
    const reader = await open({ ...subscription, registrationUrl: atProxy(subscription) }, onlyAt(other))
    expect(reader.headers['x-instance']).toBe(await addressOf(other))
  }
})

/** Replaces the host `1.localhost` of a URL with that of the proxy, because not every machine can resolve it. */
const atProxy = ({ registrationUrl }: { registrationUrl: string }) =>
  PROXY + new URL(registrationUrl).pathname + new URL(registrationUrl).search

test('the proxy forwards each event within a second, before the next one is sent', async () => {
  const reader = await open(await subscribe())
  const times: number[] = []
  for (let i = 0; i < 40; i++) {
    const sent = performance.now()
    await emit(i)
    expect(await composition.values(reader, 1)).toEqual([i])
    times.push(performance.now() - sent)
  }
  console.log(`events through the proxy: at most ${Math.max(...times).toFixed(0)} ms`)
  expect(Math.max(...times)).toBeLessThan(1000)
  expect(reader.headers).toMatchObject({ 'x-accel-buffering': 'no' })
  expect(reader.headers['content-encoding']).toBeUndefined()
})

test('an image of 4 MB is stored completely, and a larger one is rejected', async () => {
  const { body } = await send('GET', '/_control/records/tickets?limit=100')
  const tickets = body['items'] as { srid: string; images: unknown[] }[]
  const path = `/stg/us/guest/serviceRequest/asset/symptomImage?srid=${tickets.find((each) => !each.images[0])!.srid}`
  const upload = (bytes: Buffer) => {
    const form = new FormData()
    form.append('imageFile', new Blob([bytes]), 'a.png')
    return send('POST', path, form, WEB)
  }
  const picture = (size: number) => Buffer.concat([PNG, randomBytes(size - PNG.length)])
  const image = picture(4 * 1024 * 1024)
  const sha256 = createHash('sha256').update(image).digest('hex')
  expect((await upload(image)).body).toMatchObject({ contentType: 'image/png', size: image.length, sha256 })
  // If a server rejects a request early, it may close the connection before the client has read the response. This does
  // not happen every time, so the request is repeated.
  const large = picture(8 * 1024 * 1024)
  for (let i = 0; i < 5; i++) {
    const refused = await Promise.all(upTo(0, 4).map(() => upload(large)))
    for (const { status, text } of refused) expect([status, text]).toEqual([400, expect.stringContaining('"error"')])
  }
})

const PNG = readFileSync(join(import.meta.dirname, '../../helpers/images/picture.png'))

test('the proxy streams an upload, so an instance can reject it early', async () => {
  const { hostname, port } = new URL(PROXY)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.write(
    'POST /stg/us/guest/serviceRequest/asset/symptomImage?srid=1 HTTP/1.1\r\nhost: localhost\r\n' +
      'content-type: multipart/form-data; boundary=b\r\ncontent-length: 4000000\r\n\r\n--b\r\n',
  )
  const [first] = (await once(socket, 'data')) as [Buffer]
  expect(String(first)).toMatch(/^HTTP\/1\.1 400 .*request-source/s)
})

test('exactly 10 of 200 parallel bookings of 10 places through the proxy succeed', async () => {
  const world = '/w/rush'
  await send('POST', '/_control/worlds', { name: 'rush', now: '2026-05-06T16:00:00.000Z' })
  onTestFinished(async () => void (await send('DELETE', '/_control/worlds/rush')))
  await send('PUT', `${world}/_control/clock`, { frozen: true })
  const store = recordsOf(world)
  await putAppointmentWorld(store)
  const bpNos = Array.from({ length: 200 }, (_, i) => String(9_300_000_000 + i))
  await store.transaction(async (tx) => {
    for (const bpNo of bpNos) await tx.customers.put(newCustomer({ bpNo }))
  })
  const book = (bpNo: string) =>
    send('POST', `${world}/stg/us/dealer/customers/ticket`, newTicketBody({ bpNo }), asTess())
  const answers = await Promise.all(bpNos.map(book))
  const told = (status: number, code?: string) =>
    answers.filter((each) => each.status === status && (each.body['error'] as { code: string })?.code === code).length
  expect({ booked: told(200), refused: told(400, 'SlotUnavailable') }).toEqual({ booked: 10, refused: 190 })
  const { body } = await send('GET', `${world}/_control/records/bookings?slotId=${slot.timeSlot}`)
  expect(body['totalCount']).toBe(10)
  expect(new Set(answers.map(({ headers }) => headers['x-instance'])).size).toBe(2)
})

/** For helpers that expect a store: a store that writes records to a world through the control API. */
function recordsOf(world: string): Store {
  const put = (name: keyof typeof collections) => async (record: Record<string, unknown>) => {
    const key = encodeURIComponent(String(record[collections[name].key]))
    const { status, text } = await send('PUT', `${world}/_control/records/${name}/${key}`, record)
    if (status !== 200) throw new Error(`${name} ${key}: ${text}`)
  }
  const tx = new Proxy({}, { get: (_, name) => ({ put: put(name as keyof typeof collections) }) })
  return { transaction: (work: (records: object) => Promise<void>) => work(tx) } as unknown as Store
}
