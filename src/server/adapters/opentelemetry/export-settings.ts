import { type TraceVariables, readRatio, readPairs, readHeaders } from './variables.ts'
import { Unusable, isExported, readUrl, assertProtocol } from './collector-address.ts'

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

/** Node's timers fire at once when they are longer than 24 days. */
const LONGEST = 86_400_000
const MOST_SPANS = 1_000_000

/**
 * Gives nothing where the variables ask for no spans. An unusable one is told in a line that names it and repeats no
 * value that may be a secret.
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

function readRest(given: TraceVariables, tell: (line: string) => void): Omit<ExportSettings, 'url'> {
  const number = (name: keyof TraceVariables & `OTEL_${string}`, fallback: number, least = 1, most = LONGEST) => {
    const text = given[name]?.trim()
    if (text === undefined) return fallback
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    tell(`${name}=${text} is no whole number from ${least} to ${most}`)
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
      maxQueueSize: number('OTEL_BSP_MAX_QUEUE_SIZE', 2048, 1, MOST_SPANS),
      maxExportBatchSize: number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, 1, MOST_SPANS),
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
