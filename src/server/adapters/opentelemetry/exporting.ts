import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'

export interface Exporting {
  readonly provider: BasicTracerProvider
  close(): Promise<void>
}

/** Maximum time in milliseconds that shutdown waits for the collector. */
const FLUSH_TIMEOUT = 500

/** The OpenTelemetry packages read all other `OTEL_*` variables from the environment. */
export function createExporting(url: string, version: string, report: (line: string) => void): Exporting {
  const exporter = new OTLPTraceExporter({ url })
  let isReported = false
  const reporting: SpanExporter = {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error && !isReported)
          report(`traces were lost because the collector did not accept them: ${result.error}`)
        isReported ||= result.error !== undefined
        done(result)
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  }
  const own = resourceFromAttributes({ 'service.name': 'vendor-cloud', 'service.version': version })
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(reporting)],
  })
  return {
    provider,
    async close() {
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, FLUSH_TIMEOUT).unref())
      await Promise.race([provider.shutdown().catch(() => {}), timeout])
      isReported = true
    },
  }
}
