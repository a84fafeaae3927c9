import { expect, test } from 'vitest'
import { readExportSettings } from '../../../../src/server/adapters/opentelemetry/export-settings.ts'
import type { TraceVariables } from '../../../../src/server/adapters/opentelemetry/variables.ts'

const base = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

function read(given: TraceVariables) {
  const told: string[] = []
  return { settings: readExportSettings(given, (line) => told.push(line)), told }
}

test('without an endpoint, disabled or with no exporter traces are off, and nothing is told', () => {
  const silent = [
    {},
    { ...base, OTEL_SDK_DISABLED: 'TRUE' },
    { ...base, OTEL_TRACES_EXPORTER: 'none' },
    { OTEL_TRACES_EXPORTER: 'otlp' },
  ]
  for (const given of silent) expect(read(given)).toEqual({ settings: undefined, told: [] })
  expect(read({ ...base, OTEL_SDK_DISABLED: 'yes' }).settings).toBeDefined()
})

test('an endpoint gets the path of traces, one of traces alone is taken as it is', () => {
  const urlOf = (given: TraceVariables) => read(given).settings?.url
  expect(urlOf(base)).toBe('http://collector:4318/v1/traces')
  expect(urlOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector/otlp/' })).toBe('https://collector/otlp/v1/traces')
  expect(urlOf({ ...base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other:1/in' })).toBe('http://other:1/in')
})

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'file:///etc/hosts'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'grpc'],
  ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
  ['OTEL_TRACES_EXPORTER', 'zipkin'],
])('%s=%s is told in one line that names it, and traces stay off', (name, value) => {
  const { settings, told } = read({ ...base, [name]: value })
  expect(settings).toBeUndefined()
  expect(told).toEqual([expect.stringMatching(new RegExp(`^${name}\\b.*: traces stay off$`))])
})

test('http/protobuf is taken and sent as JSON, and each sampler by its name', () => {
  expect(read({ ...base, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' })).toMatchObject({ told: [] })
  const ratio = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' }
  expect(read({ ...base, ...ratio }).settings).toMatchObject({ sampler: 'parentbased_traceidratio', ratio: 0.25 })
  expect(read(base).settings).toMatchObject({ sampler: 'parentbased_always_on', ratio: 1 })
})

test('names, attributes and headers are read as pairs; signal and service name come before others', () => {
  const { settings, told } = read({
    ...base,
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other, team=a%20b,',
    OTEL_SERVICE_NAME: 'mine',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=one,x-more=a=b',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-key=two',
    OTEL_EXPORTER_OTLP_TIMEOUT: '100',
    OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'gzip',
    OTEL_BSP_MAX_QUEUE_SIZE: '10',
  })
  expect(told).toEqual([])
  expect(settings).toMatchObject({
    resource: { 'service.name': 'mine', team: 'a b' },
    headers: { 'x-key': 'two', 'x-more': 'a=b' },
    timeoutMillis: 100,
    compression: 'gzip',
    queue: { maxQueueSize: 10, maxExportBatchSize: 512, scheduledDelayMillis: 5000, exportTimeoutMillis: 30_000 },
  })
  expect(read(base).settings?.resource).toEqual({ 'service.name': 'vendor-cloud' })
})

test('a number of spans and one of milliseconds have each a bound of their own', () => {
  const { told } = read({ ...base, OTEL_BSP_MAX_QUEUE_SIZE: 'abc', OTEL_BSP_SCHEDULE_DELAY: 'abc' })
  expect(told).toEqual([
    'OTEL_BSP_MAX_QUEUE_SIZE=abc is no whole number from 1 to 1000000; the default counts',
    'OTEL_BSP_SCHEDULE_DELAY=abc is no whole number from 0 to 86400000; the default counts',
  ])
})

test('what cannot be used of the others is told without its value, and the default counts', () => {
  const { settings, told } = read({
    ...base,
    OTEL_EXPORTER_OTLP_HEADERS: 'secret,x y=secret,ok=1,bad=secret%0a',
    OTEL_BSP_MAX_QUEUE_SIZE: '0',
    OTEL_BSP_SCHEDULE_DELAY: '99999999999',
    OTEL_TRACES_SAMPLER_ARG: '2',
  })
  expect(settings).toMatchObject({
    headers: { ok: '1' },
    ratio: 1,
    queue: { maxQueueSize: 2048, scheduledDelayMillis: 5000 },
  })
  expect(told.length).toBe(6)
  expect(told.join('\n')).not.toContain('secret')
})
