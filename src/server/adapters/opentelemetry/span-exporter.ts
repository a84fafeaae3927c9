import type { Agent as PlainAgent } from 'node:http'
import { TraceFlags } from '@opentelemetry/api'
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base'
import { createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http'
import { JsonTraceSerializer, TraceExporterMetricsHelper } from '@opentelemetry/otlp-transformer'
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { ExportSettings } from './export-settings.ts'

/** Called with a reason when spans are lost, and without one when they arrive again. */
export type TellLoss = (reason: string | undefined) => void

/** An answer that is later than its time by so much loses its connection. */
const GRACE = 1000

/** The batches do not tell what they hold and drop, so it is counted here. */
export class WaitingSpans implements SpanProcessor {
  readonly #most: number
  #count = 0
  #dropped = false

  constructor(most: number) {
    this.#most = most
  }

  /** A span that cannot wait is lost. */
  admit(): boolean {
    if (this.#count < this.#most) return true
    this.#dropped = true
    return false
  }

  /** Resets when it is read. */
  takeDropped(): boolean {
    const dropped = this.#dropped
    this.#dropped = false
    return dropped
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0 && this.admit()) this.#count++
  }

  leave(count: number): void {
    this.#count -= count
  }

  async forceFlush(): Promise<void> {}
  async shutdown(): Promise<void> {}
}

/** `OTLPTraceExporter` as a whole adds the environment's headers and reads everything that comes back. */
export function createExporter(
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
      // The exporter's own timeout begins anew with each byte.
      const late = setTimeout(() => agent.destroy(), timeoutMillis + GRACE).unref()
      waiting.leave(spans.length)
      exporter.export(spans, (result) => {
        clearTimeout(late)
        const isSlow = waiting.takeDropped()
        if (result.code !== 0) tell(reasonOf(result.error))
        else tell(isSlow ? `${queue.maxQueueSize} waited for it` : undefined)
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
