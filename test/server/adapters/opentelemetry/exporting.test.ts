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

/** Registers a provider as a program that embeds the server would. This can be before or after the server starts. */
function register() {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  trace.setGlobalTracerProvider(provider)
  onTestFinished(() => trace.disable())
  return exporter
}

test('a tracing provider registered after the start gets spans without any environment variable', async () => {
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

test('a configured collector gets the spans instead of the registered provider', async () => {
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
])('with %s=%s the server sends no spans', async (name, value) => {
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

test('if the endpoint is not a URL, the server warns and starts without traces', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  onTestFinished(() => void vi.restoreAllMocks())
  const cloud = await startVendorCloud({ port: false, settings: { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' } })
  onTestFinished(() => cloud.stop())
  expect((await cloud.fetch(lookUp())).status).toBe(200)
  expect(warn.mock.calls[0]![0]).toMatch(/^traces are off: OTEL_EXPORTER_OTLP_ENDPOINT must be a URL/)
})

test('the SDK reads the headers, service name and resource attributes from environment variables', async () => {
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

test('a request succeeds even if the tracing provider throws', async () => {
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

test('a request with an unsampled parent exports no span but records its trace ID', async () => {
  const collector = await startCollector()
  const cloud = await startVendorCloud({ port: false, settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  await cloud.fetch(lookUp({ traceparent: `00-${traceId}-b7ad6b7169203331-00` }))
  expect((await cloud.journal())[0]).toMatchObject({ traceId })
  await cloud.stop()
  expect(collector.spans.map(({ name }) => name)).toEqual(['GET /_control/journal'])
})

/** Faulty collectors, named by what they do with a batch. */
const bad: Readonly<Record<string, RequestListener>> = {
  'closes the connection': (request) => void request.socket.destroy(),
  'never responds': () => {},
  'responds with an HTML page': (_request, reply) => void reply.end('<html>'),
  'responds with 503 and Retry-After: 0': (_request, reply) => void reply.writeHead(503, { 'retry-after': '0' }).end(),
  redirects: (_request, reply) => void reply.writeHead(307, { location: '/again' }).end(),
  'sends an endless response': (_request, reply) => {
    const more = () => void reply.write('x'.repeat(65_536), more)
    reply.on('error', () => {})
    more()
  },
}

test.each(Object.keys(bad))(
  'a collector that %s delays no response, and the shutdown by less than 5 s',
  async (how) => {
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
    // This is less than the 10 s that a single batch may take.
    expect(performance.now() - before).toBeLessThan(5000)
  },
)

test('when a collector rejects spans, the server logs one line', async () => {
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
