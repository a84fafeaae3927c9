import type { RequestListener } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createExporting } from '../../../../src/server/adapters/opentelemetry/exporting.ts'
import { readExportSettings } from '../../../../src/server/adapters/opentelemetry/export-settings.ts'
import { startVendorCloud } from '../../../../src/index.ts'
import { startCollector } from '../../../helpers/collector.ts'

const lookUp = (headers: Readonly<Record<string, string>> = {}) =>
  new Request('http://localhost/stg/us/guest/zipCode?zipCode=07660', {
    headers: { 'request-source': 'vendor.com', ...headers },
  })

/** As a program around does it, before or after the server's start. */
function register() {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  trace.setGlobalTracerProvider(provider)
  onTestFinished(() => trace.disable())
  return exporter
}

test('a provider that the program registers gets spans, after the start and without a variable too', async () => {
  const cloud = await startVendorCloud({ port: false })
  onTestFinished(() => cloud.stop())
  await cloud.fetch(lookUp())
  expect((await cloud.journal())[0]).not.toHaveProperty('traceId')
  const exporter = register()
  await cloud.fetch(lookUp())
  const [span] = exporter.getFinishedSpans()
  expect(span).toMatchObject({ name: 'GET /stg/us/guest/zipCode', attributes: { 'vendor.operation': '30' } })
  expect((await cloud.journal())[0]).toMatchObject({ traceId: span!.spanContext().traceId })
})

test('a collector and a provider get one span with one name and the same ids', async () => {
  const collector = await startCollector()
  const exporter = register()
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const cloud = await startVendorCloud({ port: false, settings })
  await cloud.fetch(lookUp())
  await cloud.stop()
  const [span] = exporter.getFinishedSpans()
  const { traceId, spanId } = span!.spanContext()
  expect(collector.spans).toMatchObject([{ name: span!.name, traceId, spanId }])
})

test('a provider that throws costs no request anything', async () => {
  trace.setGlobalTracerProvider({
    getTracer() {
      throw new Error('broken')
    },
  })
  onTestFinished(() => trace.disable())
  const cloud = await startVendorCloud({ port: false })
  onTestFinished(() => cloud.stop())
  expect((await cloud.fetch(lookUp())).status).toBe(200)
})

test('what a parent did not sample is not sent, and keeps its trace in the journal', async () => {
  const collector = await startCollector()
  const cloud = await startVendorCloud({ port: false, settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  await cloud.fetch(lookUp({ traceparent: `00-${traceId}-b7ad6b7169203331-00` }))
  expect((await cloud.journal())[0]).toMatchObject({ traceId })
  await cloud.stop()
  expect(collector.spans.map(({ name }) => name)).toEqual(['GET /_control/journal'])
})

const hostile: Readonly<Record<string, RequestListener>> = {
  'is dead': (request) => void request.socket.destroy(),
  'never answers': () => {},
  'answers with a page': (_request, reply) => void reply.end('<html>'),
  'asks to come again at once': (_request, reply) => void reply.writeHead(503, { 'retry-after': '0' }).end(),
  redirects: (_request, reply) => void reply.writeHead(307, { location: '/again' }).end(),
  'has no end': (_request, reply) => {
    const more = () => void reply.write('x'.repeat(65_536), more)
    reply.on('error', () => {})
    more()
  },
}

test.each(Object.keys(hostile))('a collector that %s costs no request its reply, and holds no end', async (how) => {
  const { url } = await startCollector(hostile[how])
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  onTestFinished(() => void vi.restoreAllMocks())
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_BSP_SCHEDULE_DELAY: '1',
    OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
  }
  const cloud = await startVendorCloud({ port: false, settings })
  for (let i = 0; i < 20; i++) expect((await cloud.fetch(lookUp())).status).toBe(200)
  const before = performance.now()
  await cloud.stop()
  // Far below the 60 seconds that a batch may take.
  expect(performance.now() - before).toBeLessThan(20_000)
})

test('no more spans wait than the queue takes, and all of these are sent at the end', async () => {
  const held: (() => void)[] = []
  let sent = 0
  const { url } = await startCollector(async (request, reply) => {
    sent += (await text(request)).split('"kind":').length - 1
    held.push(() => void reply.end('{}'))
  })
  const settings = readExportSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: url }, () => {})!
  const exporting = createExporting(settings, '1', () => {})
  const tracer = exporting.provider.getTracer('test')
  for (let i = 0; i < 10_000; i++) tracer.startSpan('x').end()
  await vi.waitUntil(() => held.length === 1)
  expect(exporting.admit()).toBe(false)
  expect(sent).toBeLessThanOrEqual(512)
  const closed = exporting.close()
  const letGo = setInterval(() => {
    for (const go of held.splice(0)) go()
  }, 5)
  await closed
  clearInterval(letGo)
  expect(sent).toBeLessThanOrEqual(2048 + 512)
  expect(sent).toBeGreaterThanOrEqual(2048)
})

/** Collectors by what they do with a batch; a slow one takes it, at its leisure. */
const bad: Readonly<Record<string, (held: (() => void)[]) => RequestListener>> = {
  dead: () => (request) => void request.socket.destroy(),
  slow: (held) => (_request, reply) => void held.push(() => void reply.end('{}')),
  silent: () => () => {},
}

test.each(Object.keys(bad))('of 10,000 spans for a %s collector the queue and one batch are in memory', async (how) => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const { url } = await startCollector(bad[how]!([]))
  const settings = readExportSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: url }, () => {})!
  const exporting = createExporting(settings, '1', () => {})
  const tracer = exporting.provider.getTracer('test')
  const make = () => {
    const span = tracer.startSpan('x')
    span.end()
    return new WeakRef(span)
  }
  const spans: WeakRef<object>[] = []
  for (let i = 0; i < 10; i++) {
    for (let k = 0; k < 1000; k++) spans.push(make())
    await setImmediate()
  }
  collectGarbage()
  const alive = spans.filter((span) => span.deref() !== undefined).length
  expect(alive).toBeGreaterThanOrEqual(2048)
  expect(alive).toBeLessThanOrEqual(2048 + 512)
  await exporting.close()
})

test.each(['dead', 'slow'])('a %s collector costs one line of the log, however many spans are lost', async (how) => {
  const held: (() => void)[] = []
  const collector = await startCollector(bad[how]!(held))
  const lines: string[] = []
  vi.spyOn(process, 'emitWarning').mockImplementation((line) => void lines.push(String(line)))
  onTestFinished(() => void vi.restoreAllMocks())
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: how === 'dead' ? '1' : '60000',
    OTEL_BSP_MAX_QUEUE_SIZE: '16',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '8',
  }
  const cloud = await startVendorCloud({ port: false, settings })
  const ask = async () => {
    for (let i = 0; i < 40; i++) expect((await cloud.fetch(lookUp())).status).toBe(200)
  }
  await ask()
  for (let i = 0; i < 3; i++) {
    if (how === 'slow') await vi.waitUntil(() => held.length > 0)
    for (const go of held.splice(0)) go()
    await vi.waitUntil(() => lines.length > 0)
    await ask()
  }
  await cloud.stop()
  expect(lines).toEqual([expect.stringMatching(/^traces are lost, the collector does not take them: /)])
})
