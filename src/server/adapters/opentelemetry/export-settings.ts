/** The standard variables, as they were given. */
export interface TraceVariables {
  OTEL_SDK_DISABLED?: string | undefined
  OTEL_TRACES_EXPORTER?: string | undefined
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_PROTOCOL?: string | undefined
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL?: string | undefined
  OTEL_EXPORTER_OTLP_HEADERS?: string | undefined
  OTEL_EXPORTER_OTLP_TRACES_HEADERS?: string | undefined
  OTEL_EXPORTER_OTLP_TIMEOUT?: string | undefined
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT?: string | undefined
  OTEL_EXPORTER_OTLP_COMPRESSION?: string | undefined
  OTEL_EXPORTER_OTLP_TRACES_COMPRESSION?: string | undefined
  OTEL_SERVICE_NAME?: string | undefined
  OTEL_RESOURCE_ATTRIBUTES?: string | undefined
  OTEL_TRACES_SAMPLER?: string | undefined
  OTEL_TRACES_SAMPLER_ARG?: string | undefined
  OTEL_BSP_SCHEDULE_DELAY?: string | undefined
  OTEL_BSP_EXPORT_TIMEOUT?: string | undefined
  OTEL_BSP_MAX_QUEUE_SIZE?: string | undefined
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE?: string | undefined
}

export interface ExportSettings {
  url: string
  headers: Readonly<Record<string, string>>
  timeoutMillis: number
  compression: 'gzip' | 'none'
  resource: Readonly<Record<string, string>>
  sampler: (typeof samplers)[number]
  ratio: number
  queue: {
    maxQueueSize: number
    maxExportBatchSize: number
    scheduledDelayMillis: number
    exportTimeoutMillis: number
  }
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** A timer of Node's that is longer than 24 days fires at once. */
const LONGEST = 86_400_000

/** What is wrong with a variable so that traces stay off. */
class Unusable extends Error {}

/**
 * Where spans go and how, as the variables say; nothing where they ask for none. What cannot be used is told, a line
 * each, which names the variable and repeats no value that may be a secret.
 */
export function readExportSettings(given: TraceVariables, tell: (line: string) => void): ExportSettings | undefined {
  if (given.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return undefined
  try {
    if (!isExported(given.OTEL_TRACES_EXPORTER)) return undefined
    const url = readUrl(given)
    if (url === undefined) return undefined
    assertProtocol(given)
    return { url, ...readRest(given, (line) => tell(`${line}; the default counts`)) }
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    tell(`${error.message}: traces stay off`)
    return undefined
  }
}

function isExported(exporters = 'otlp'): boolean {
  const names = listOf(exporters)
  const unknown = names.find((name) => name !== 'otlp' && name !== 'none')
  if (unknown !== undefined) throw new Unusable(`OTEL_TRACES_EXPORTER=${unknown} is not otlp or none`)
  return !names.includes('none')
}

function readUrl(given: TraceVariables): string | undefined {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_EXPORTER_OTLP_ENDPOINT: base } = given
  if (own !== undefined) return toUrl('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', own, own)
  if (base === undefined) return undefined
  return toUrl('OTEL_EXPORTER_OTLP_ENDPOINT', base, `${base.trim().replace(/\/+$/, '')}/v1/traces`)
}

function toUrl(name: string, given: string, url: string): string {
  if (URL.canParse(given) && /^https?:\/\/[^/]/i.test(given.trim()) && URL.canParse(url)) return new URL(url).href
  throw new Unusable(`${name} is no address such as http://localhost:4318`)
}

function assertProtocol(given: TraceVariables): void {
  const name =
    given.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL === undefined
      ? 'OTEL_EXPORTER_OTLP_PROTOCOL'
      : 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'
  const protocol = given[name]?.trim() ?? 'http/json'
  if (['http/json', 'http/protobuf'].includes(protocol)) return
  throw new Unusable(`${name}=${protocol} is not spoken here; http/json is, and http/protobuf is sent as JSON`)
}

function readRest(given: TraceVariables, tell: (line: string) => void): Omit<ExportSettings, 'url'> {
  const number = (name: keyof TraceVariables & `OTEL_${string}`, fallback: number, least = 1) => {
    const text = given[name]?.trim()
    if (text === undefined) return fallback
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= LONGEST) return value
    tell(`${name}=${text} is no whole number from ${least} to ${LONGEST}`)
    return fallback
  }
  const pairs = (name: keyof TraceVariables & `OTEL_${string}`) => readPairs(name, given[name] ?? '', tell)
  const timeout = number('OTEL_EXPORTER_OTLP_TIMEOUT', 10_000)
  const compression = given.OTEL_EXPORTER_OTLP_TRACES_COMPRESSION ?? given.OTEL_EXPORTER_OTLP_COMPRESSION
  return {
    headers: readHeaders(
      { ...pairs('OTEL_EXPORTER_OTLP_HEADERS'), ...pairs('OTEL_EXPORTER_OTLP_TRACES_HEADERS') },
      tell,
    ),
    timeoutMillis: number('OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', timeout),
    compression: compression?.trim() === 'gzip' ? 'gzip' : 'none',
    resource: {
      'service.name': 'vendor-cloud',
      ...pairs('OTEL_RESOURCE_ATTRIBUTES'),
      ...(given.OTEL_SERVICE_NAME !== undefined && { 'service.name': given.OTEL_SERVICE_NAME }),
    },
    sampler: readSampler(given.OTEL_TRACES_SAMPLER),
    ratio: readRatio(given.OTEL_TRACES_SAMPLER_ARG, tell),
    queue: {
      maxQueueSize: number('OTEL_BSP_MAX_QUEUE_SIZE', 2048),
      maxExportBatchSize: number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512),
      scheduledDelayMillis: number('OTEL_BSP_SCHEDULE_DELAY', 5000, 0),
      exportTimeoutMillis: number('OTEL_BSP_EXPORT_TIMEOUT', 30_000),
    },
  }
}

function readSampler(given = 'parentbased_always_on'): ExportSettings['sampler'] {
  const sampler = samplers.find((name) => name === given.trim())
  if (sampler) return sampler
  throw new Unusable(`OTEL_TRACES_SAMPLER=${given} is none of ${samplers.join(', ')}`)
}

function readRatio(given: string | undefined, tell: (line: string) => void): number {
  const ratio = given === undefined ? 1 : Number(given)
  if (given?.trim() !== '' && ratio >= 0 && ratio <= 1) return ratio
  tell(`OTEL_TRACES_SAMPLER_ARG=${given} is no number from 0 to 1`)
  return 1
}

/** `key=value,key=value`, values percent-encoded, as W3C's baggage has them. */
function readPairs(name: string, given: string, tell: (line: string) => void): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (const pair of listOf(given)) {
    const at = pair.indexOf('=')
    try {
      if (at < 1) throw new URIError()
      pairs[decodeURIComponent(pair.slice(0, at).trim())] = decodeURIComponent(pair.slice(at + 1).trim())
    } catch {
      tell(`a part of ${name} is no pair such as key=value`)
    }
  }
  return pairs
}

/** Node throws at others, for each batch. */
function readHeaders(given: Readonly<Record<string, string>>, tell: (line: string) => void): Record<string, string> {
  const kept = Object.entries(given).filter(([name, value]) => {
    const isHeader = /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    if (!isHeader) tell('a part of OTEL_EXPORTER_OTLP_HEADERS is no header')
    return isHeader
  })
  return Object.fromEntries(kept)
}

function listOf(text: string): string[] {
  return text.split(',').flatMap((each) => each.trim() || [])
}
