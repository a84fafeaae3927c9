import type { RequestListener } from 'node:http'
import { trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { expect, onTestFinished, test, vi } from 'vitest'
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

test('a provider that the program registers gets spans, also after the start and without a variable', async () => {
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

test('a server with a collector sends spans there and not to the registered provider', async () => {
  const collector = await startCollector()
  const exporter = register()
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const cloud = await startVendorCloud({ port: false, settings })
  await cloud.fetch(lookUp())
  await cloud.stop()
  expect(collector.spans).toMatchObject([{ name: 'GET /stg/us/guest/zipCode' }])
  expect(exporter.getFinishedSpans()).toEqual([])
})

test.each([
  ['OTEL_SDK_DISABLED', 'TRUE'],
  ['OTEL_TRACES_EXPORTER', 'none'],
])('%s=%s sends no spans', async (name, value) => {
  const collector = await startCollector()
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, [name]: value }
  const cloud = await startVendorCloud({ port: false, settings })
  await cloud.fetch(lookUp())
  await cloud.stop()
  expect(collector.requests).toEqual([])
})

test('the traces endpoint takes precedence over the base endpoint and is used unchanged', async () => {
  const collector = await startCollector()
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/in`,
  }
  const cloud = await startVendorCloud({ port: false, settings })
  await cloud.fetch(lookUp())
  await cloud.stop()
  expect(collector.requests.map(({ url }) => url)).toEqual(['/in'])
})

test('the server starts without traces and warns when the endpoint is not a URL', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  onTestFinished(() => void vi.restoreAllMocks())
  const cloud = await startVendorCloud({ port: false, settings: { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' } })
  onTestFinished(() => cloud.stop())
  expect((await cloud.fetch(lookUp())).status).toBe(200)
  expect(warn.mock.calls[0]![0]).toMatch(/^traces are off: the OTLP endpoint must be a URL/)
})

test('the SDK reads headers, service name and resource attributes from the environment', async () => {
  const collector = await startCollector()
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-key=one')
  vi.stubEnv('OTEL_SERVICE_NAME', 'mine')
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'team=a%20b')
  onTestFinished(() => void vi.unstubAllEnvs())
  const cloud = await startVendorCloud({ port: false, settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
  await cloud.fetch(lookUp())
  await cloud.stop()
  expect(collector.requests[0]!.headers['x-key']).toBe('one')
  expect(collector.resources[0]).toMatchObject({ 'service.name': 'mine', team: 'a b' })
})

test('a provider that throws fails no request', async () => {
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

test('a request that its parent did not sample sends no span, and its journal entry has the trace', async () => {
  const collector = await startCollector()
  const cloud = await startVendorCloud({ port: false, settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  await cloud.fetch(lookUp({ traceparent: `00-${traceId}-b7ad6b7169203331-00` }))
  expect((await cloud.journal())[0]).toMatchObject({ traceId })
  await cloud.stop()
  expect(collector.spans.map(({ name }) => name)).toEqual(['GET /_control/journal'])
})

/** Bad collectors by what they do with a batch. */
const bad: Readonly<Record<string, RequestListener>> = {
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

test.each(Object.keys(bad))('a collector that %s delays no response, and delays the shutdown by 0.5 s', async (how) => {
  const { url } = await startCollector(bad[how])
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '1')
  onTestFinished(() => {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  })
  const cloud = await startVendorCloud({ port: false, settings: { OTEL_EXPORTER_OTLP_ENDPOINT: url } })
  for (let i = 0; i < 20; i++) expect((await cloud.fetch(lookUp())).status).toBe(200)
  const before = performance.now()
  await cloud.stop()
  // Below the 10 s that one batch may take.
  expect(performance.now() - before).toBeLessThan(5000)
})

test('spans that a collector rejects are logged in one line', async () => {
  const { url } = await startCollector((_request, reply) => void reply.writeHead(400).end())
  const lines: string[] = []
  vi.spyOn(process, 'emitWarning').mockImplementation((line) => void lines.push(String(line)))
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '1')
  onTestFinished(() => {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  })
  const cloud = await startVendorCloud({ port: false, settings: { OTEL_EXPORTER_OTLP_ENDPOINT: url } })
  for (let i = 0; i < 3; i++) {
    expect((await cloud.fetch(lookUp())).status).toBe(200)
    await vi.waitUntil(() => lines.length > 0)
  }
  await cloud.stop()
  expect(lines).toEqual([expect.stringMatching(/^traces were lost because the collector did not accept them: /)])
})
