import { Agent as PlainAgent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { type SpanContext, TraceFlags } from '@opentelemetry/api'
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base'
import { createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http'
import { JsonTraceSerializer, TraceExporterMetricsHelper } from '@opentelemetry/otlp-transformer'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  type ReadableSpan,
  type Sampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import type { SpanReference } from '../../ports/tracing.ts'
import type { ExportSettings } from './export-settings.ts'

/** Told with a reason when spans are lost, and without one when they arrive again. */
export type TellLoss = (reason: string | undefined) => void

export interface Exporting {
  readonly provider: BasicTracerProvider
  /** No more spans can wait: a span that is made now would be dropped at its end. */
  readonly isFull: boolean
  /** The names of a span that is not made. */
  newReference(parent: SpanReference | undefined): SpanReference
  /** Lets `start` make a span with ids that are given already. */
  withIds<T>(ids: SpanContext | undefined, start: () => T): T
  close(): Promise<void>
}

/** Milliseconds that the end of the process waits for spans to arrive. */
const LAST_WORDS = 1000
/** Milliseconds that an answer may take beyond its time, before its connection is ended. */
const GRACE = 1000
/** Characters of a text in a span. */
const LONGEST = 1024

/**
 * Sends spans to a collector in batches, by settings alone: the packages read the environment only for what they are
 * not told. Never more than the queue's size waits, beside the batches that are on their way; what is more is dropped.
 */
export function createExporting(settings: ExportSettings, version: string, tell: TellLoss): Exporting {
  const { url, queue, sampler, ratio } = settings
  const agent = url.startsWith('https:') ? new SecureAgent({ keepAlive: true }) : new PlainAgent({ keepAlive: true })
  const ids = new GivenIds()
  const waiting = new WaitingSpans(queue.maxQueueSize)
  const exporter = createExporter(settings, agent, waiting, tell)
  const provider = new BasicTracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.version': version, ...settings.resource })),
    sampler: createSampler(sampler, ratio),
    idGenerator: ids,
    generalLimits: { attributeValueLengthLimit: LONGEST, attributeCountLimit: 128 },
    spanLimits: {
      attributeValueLengthLimit: LONGEST,
      attributeCountLimit: 128,
      linkCountLimit: 8,
      eventCountLimit: 8,
      attributePerEventCountLimit: 8,
      attributePerLinkCountLimit: 8,
    },
    spanProcessors: [waiting, new BatchSpanProcessor(exporter, queue)],
  })
  return {
    provider,
    get isFull() {
      return waiting.isFull
    },
    newReference: (parent) => ({
      traceId: parent?.traceId ?? ids.generateTraceId(),
      spanId: ids.generateSpanId(),
      traceFlags: parent?.traceFlags ?? TraceFlags.SAMPLED,
    }),
    withIds: (given, start) => ids.with(given, start),
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, LAST_WORDS).unref())
      // One batch that is refused ends the wait for the others.
      const sent = provider.shutdown().catch(() => exporter.forceFlush())
      await Promise.race([sent, late])
      agent.destroy()
    },
  }
}

/** Counts what the batches hold, which they do not tell. */
class WaitingSpans implements SpanProcessor {
  readonly #most: number
  #count = 0

  constructor(most: number) {
    this.#most = most
  }

  get isFull(): boolean {
    return this.#count >= this.#most
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (!this.isFull && (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0) this.#count++
  }

  leave(count: number): void {
    this.#count -= count
  }

  async forceFlush(): Promise<void> {}
  async shutdown(): Promise<void> {}
}

class GivenIds {
  readonly #random = new RandomIdGenerator()
  #given: SpanContext | undefined

  with<T>(given: SpanContext | undefined, start: () => T): T {
    this.#given = given
    try {
      return start()
    } finally {
      this.#given = undefined
    }
  }

  generateTraceId = (): string => this.#given?.traceId ?? this.#random.generateTraceId()
  generateSpanId = (): string => this.#given?.spanId ?? this.#random.generateSpanId()
}

/** `OTLPTraceExporter` by its parts: that one adds headers of the environment, and reads whatever a collector answers. */
function createExporter(
  { url, headers, timeoutMillis, compression, queue }: ExportSettings,
  agent: PlainAgent,
  waiting: WaitingSpans,
  tell: TellLoss,
) {
  const delegate = createOtlpHttpExportDelegate(
    {
      url,
      headers: async () => ({ ...headers, 'Content-Type': 'application/json' }),
      timeoutMillis,
      compression,
      concurrencyLimit: 1 + Math.ceil(queue.maxQueueSize / queue.maxExportBatchSize),
      agentFactory: () => agent,
    },
    { serializeRequest: JsonTraceSerializer.serializeRequest, deserializeResponse: () => ({}) },
    'otlp_http_span_exporter',
    TraceExporterMetricsHelper,
    undefined,
  )
  const exporter = new OTLPExporterBase<ReadableSpan[]>(delegate)
  return {
    export(spans: ReadableSpan[], done: Parameters<typeof exporter.export>[1]) {
      // The exporter's own timeout begins anew with each byte that comes.
      const late = setTimeout(() => agent.destroy(), timeoutMillis + GRACE).unref()
      waiting.leave(spans.length)
      exporter.export(spans, (result) => {
        clearTimeout(late)
        tell(result.code === 0 ? undefined : reasonOf(result.error))
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  }
}

/** The error of a name with several addresses has no message of its own. */
function reasonOf(error: (Error & { code?: unknown }) | undefined): string {
  return error?.message || String(error?.code ?? 'no reason is known')
}

function createSampler(name: ExportSettings['sampler'], ratio: number): Sampler {
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }[name.replace('parentbased_', '') as 'always_on' | 'always_off' | 'traceidratio']()
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}
