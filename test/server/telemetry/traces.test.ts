import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startVendorCloud } from '../../../src/index.ts'
import { startCollector } from '../../helpers/collector.ts'

const HOST = 'http://localhost'
const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'
const SERVER = 2
const PRODUCER = 4
const PARENT = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const traceparent = `00-${PARENT.traceId}-${PARENT.spanId}-01`
const headers = { 'request-source': 'vendor.com' }

async function start(settings: Readonly<Record<string, string>> = {}) {
  const collector = await startCollector()
  const cloud = await startVendorCloud({
    port: false,
    settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...settings },
  })
  let stopped: Promise<void> | undefined
  /** When the server stops, it sends pending spans. */
  const stop = () => (stopped ??= cloud.stop())
  onTestFinished(stop)
  const ask = (path: string, init: RequestInit = {}) => cloud.fetch(new Request(HOST + path, { headers, ...init }))
  return { ...collector, cloud, stop, ask }
}

test('a request is exported as a SERVER span with its world and journal ID', async () => {
  const { ask, cloud, spans, resources, requests, stop } = await start()
  const world = await cloud.world({ name: 'own', now: '2026-05-06T16:00:00Z', frozen: true })
  await ask('/w/own/stg/us/guest/zipCode?zipCode=07660', { headers: { ...headers, traceparent, 'user-agent': 'me/1' } })
  const [entry] = await world.journal()
  await stop()
  const span = spans.find(({ name }) => name === 'GET /stg/us/guest/zipCode')!
  expect(span).toMatchObject({ kind: SERVER, traceId: PARENT.traceId, parentSpanId: PARENT.spanId, links: [] })
  expect(span.status.code).toBe(0)
  expect(span.attributes).toEqual({
    'http.request.method': 'GET',
    'http.route': '/stg/us/guest/zipCode',
    'http.response.status_code': 200,
    'url.scheme': 'http',
    'url.path': '/w/own/stg/us/guest/zipCode',
    'server.address': 'localhost',
    'client.address': '127.0.0.1',
    'network.protocol.version': '1.1',
    'vendor.world': 'own',
    'vendor.operation': '30',
    'vendor.journal_id': entry!.id,
    'vendor.clock': '2026-05-06T16:00:00.000Z',
  })
  expect(entry!.traceId).toBe(PARENT.traceId)
  expect(resources[0]).toMatchObject({ 'service.name': 'vendor-cloud', 'telemetry.sdk.language': 'nodejs' })
  expect([requests[0]!.url, requests[0]!.headers['content-type']]).toEqual(['/v1/traces', 'application/json'])
})

test('a span contains the violated rule, the fault and the variation of its response', async () => {
  const { ask, cloud, spans, stop } = await start()
  await ask('/stg/us/guest/zipCode?zipCode=0766')
  await ask('/stg/us/guest/schedules/service?limit=x&offset=y', { headers: { 'request-source': 'nobody' } })
  await ask('/stg/us/guest/customerFeedback/nothing')
  await cloud.variation.set({ kinds: ['http-chunked'] })
  await cloud.faults.add({ name: 'twice', match: { operation: 30 }, respond: { status: 503 }, times: 1 })
  await ask('/stg/us/guest/zipCode?zipCode=07660')
  await cloud.faults.add({ name: 'gone', match: { operation: 30 }, respond: { reset: true }, times: 1 })
  await ask('/stg/us/guest/zipCode?zipCode=07661').catch(() => {})
  await stop()
  const refused = spans.find(({ attributes }) => attributes['vendor.operation'] === '30')!.attributes
  expect(refused).toMatchObject({ 'http.response.status_code': 400, 'vendor.source': 'document 1, operation 30' })
  const broken = spans.find(({ attributes }) => attributes['vendor.fault'] === 'twice')!
  expect(broken.attributes).toMatchObject({ 'http.response.status_code': 503, 'error.type': '503' })
  expect(broken.attributes['vendor.variation']).toContain('http-chunked')
  expect(broken.status.code).toBe(2)
  const lost = spans.find(({ attributes }) => attributes['vendor.fault'] === 'gone')!
  expect(lost.attributes).toMatchObject({ 'error.type': 'unanswered' })
  expect(lost.attributes).not.toHaveProperty('http.response.status_code')
})

test('control API requests have spans, but health and metrics requests do not', async () => {
  const { ask, spans, stop } = await start()
  await ask('/_control/status')
  for (const path of ['/health/live', '/health/ready', '/metrics', '/w/default/metrics']) await ask(path)
  await stop()
  expect(spans.map(({ name }) => name)).toEqual(['GET /_control/status'])
})

async function openStream({ ask }: Pick<Awaited<ReturnType<typeof start>>, 'ask'>, more: Record<string, string> = {}) {
  const bearer = { authorization: 'Bearer token-home', ...more }
  const body = JSON.stringify({ subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] })
  const made = await ask('/subscriptions', { method: 'POST', headers: bearer, body })
  const { registrationUrl } = (await made.json()) as { registrationUrl: string }
  return async (init: RequestInit = {}) => {
    const left = new AbortController()
    const reply = await ask(new URL(registrationUrl).pathname + new URL(registrationUrl).search, {
      headers: bearer,
      signal: left.signal,
      ...init,
    })
    const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader()
    return { read: async () => (await reader.read()).value ?? '', leave: () => left.abort() }
  }
}

test('each event frame is a PRODUCER span with a link to its cause', async () => {
  const server = await start()
  const { ask, cloud, spans, stop } = server
  const open = await openStream(server)
  const first = await open({ headers: { traceparent } })
  const welcome = /^id: (.*)$/m.exec(await first.read())![1]!
  const emit = (value: string) =>
    ask(`/_control/devices/${LIGHT}/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ capability: 'switch', attribute: 'switch', value }),
    })
  await emit('on')
  expect(await first.read()).toContain('DEVICE_EVENT')
  const [frame] = await cloud.journal({ kind: 'frame' })
  expect(frame!.traceId).toBe(PARENT.traceId)
  first.leave()
  const again = await open({ headers: { 'last-event-id': welcome } })
  let text = ''
  while (!text.includes('DEVICE_EVENT')) text += await again.read()
  again.leave()
  await stop()
  const cause = spans.find(({ name }) => name.startsWith('POST /_control/devices'))!
  const streams = spans.filter(({ name }) => name.startsWith('GET /filters'))
  const frames = spans.filter(({ kind }) => kind === PRODUCER)
  expect(streams.length).toBe(2)
  expect(frames.map(({ name, traceId, parentSpanId }) => [name, traceId, parentSpanId])).toEqual(
    streams.map(({ traceId, spanId }) => ['send DEVICE_EVENT', traceId, spanId]),
  )
  expect(streams[0]!.traceId).toBe(PARENT.traceId)
  for (const { links } of frames) expect(links).toMatchObject([{ traceId: cause.traceId, spanId: cause.spanId }])
  expect(frames[0]!.attributes).toMatchObject({ 'vendor.journal_id': frame!.id, 'vendor.event': 'DEVICE_EVENT' })
})

test('the span of an event stream ends with the stream', async () => {
  const server = await start()
  const stream = await (await openStream(server))({})
  await stream.read()
  await sleep(300)
  stream.leave()
  await server.stop()
  const { startTimeUnixNano, endTimeUnixNano } = server.spans.find(({ name }) => name.startsWith('GET /filters'))!
  const ms = Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6
  expect(ms).toBeGreaterThanOrEqual(300)
})

test('the spans of scenario events have links to the request that started the scenario', async () => {
  const server = await start()
  const open = await openStream(server)
  const stream = await open()
  await stream.read()
  const body = JSON.stringify({
    steps: [{ afterMs: 60_000, deviceId: LIGHT, capability: 'switch', attribute: 'switch', value: 'on' }],
    repeat: 1,
  })
  const json = { 'content-type': 'application/json' }
  expect((await server.ask('/_control/scenarios', { method: 'POST', headers: json, body })).status).toBe(200)
  await server.cloud.clock.advance('PT2M')
  expect(await stream.read()).toContain('DEVICE_EVENT')
  stream.leave()
  await server.stop()
  const started = server.spans.find(({ name }) => name === 'POST /_control/scenarios')!
  const frame = server.spans.find(({ kind }) => kind === PRODUCER)!
  expect(frame.links).toMatchObject([{ traceId: started.traceId, spanId: started.spanId }])
})

test('requests can be found by trace ID in the journal even without tracing', async () => {
  const cloud = await startVendorCloud({ port: false })
  onTestFinished(() => cloud.stop())
  for (const sent of [
    traceparent,
    `cc${traceparent.slice(2)}-more`,
    'nonsense',
    `${traceparent}-more`,
    traceparent.toUpperCase(),
  ]) {
    const path = '/stg/us/guest/zipCode?zipCode=07660'
    await cloud.fetch(new Request(HOST + path, { headers: { ...headers, traceparent: sent } }))
  }
  const { entries, totalCount } = await cloud.control<{
    entries: { traceId: string; id: number }[]
    totalCount: number
  }>('GET', `journal?traceId=${PARENT.traceId.toUpperCase()}`)
  expect([totalCount, entries.map(({ traceId }) => traceId)]).toEqual([2, [PARENT.traceId, PARENT.traceId]])
  const { log } = await cloud.control<{ log: { entries: object[] } }>(
    'GET',
    `journal?format=har&traceId=${PARENT.traceId}`,
  )
  expect(log.entries).toMatchObject([{ _traceId: PARENT.traceId }, { _traceId: PARENT.traceId }])
  await expect(cloud.control('GET', 'journal?traceId=12')).rejects.toThrow('32 hexadecimal digits')
})
