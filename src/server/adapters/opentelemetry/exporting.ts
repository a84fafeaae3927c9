import { Agent as PlainAgent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { type SpanContext, TraceFlags } from '@opentelemetry/api'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import type { SpanReference } from '../../ports/tracing.ts'
import type { ExportSettings } from './export-settings.ts'
import { type TellLoss, WaitingSpans, createExporter } from './span-exporter.ts'

export interface Exporting {
  readonly provider: BasicTracerProvider
  /** A span that cannot wait would be dropped at its end, so it is not made. */
  admit(): boolean
  newReference(parent: SpanReference | undefined): SpanReference
  /** `start` makes a span whose ids are given. */
  withIds<T>(ids: SpanContext | undefined, start: () => T): T
  close(): Promise<void>
}

/** The end of the process waits so long for spans to arrive. */
const LAST_WORDS = 1000
/** Longer texts in a span are cut. */
const LONGEST = 1024

/**
 * Only settings count: the packages read the environment for what they are not told. The queue is bounded, and further
 * spans are dropped.
 */
export function createExporting(settings: ExportSettings, version: string, tell: TellLoss): Exporting {
  const { url, queue, sampler, ratio } = settings
  const agent = url.startsWith('https:') ? new SecureAgent({ keepAlive: true }) : new PlainAgent({ keepAlive: true })
  const ids = new GivenIds()
  const waiting = new WaitingSpans(queue.maxQueueSize)
  let isClosed = false
  const exporter = createExporter(settings, agent, waiting, (reason) => {
    // The package goes on trying for a while, in a process that has said its last words about this server.
    if (!isClosed) tell(reason)
  })
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
    admit: () => waiting.admit(),
    newReference: (parent) => ({
      traceId: parent?.traceId ?? ids.generateTraceId(),
      spanId: ids.generateSpanId(),
      traceFlags: parent?.traceFlags ?? TraceFlags.SAMPLED,
    }),
    withIds: (given, start) => ids.with(given, start),
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, LAST_WORDS).unref())
      // One refused batch must not end the wait for the others.
      const sent = provider.shutdown().catch(() => exporter.forceFlush())
      await Promise.race([sent, late])
      isClosed = true
      agent.destroy()
    },
  }
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

function createSampler(name: ExportSettings['sampler'], ratio: number): Sampler {
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }[name.replace('parentbased_', '') as 'always_on' | 'always_off' | 'traceidratio']()
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}
