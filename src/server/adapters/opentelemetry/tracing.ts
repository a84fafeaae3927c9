import type { OpenSpan, SpanStart, Tracing } from '#server/ports/tracing.ts'
import type { Exporting } from './exporting.ts'
import type { Provider, StartSpan } from './spans.ts'

/** Where all copies of `@opentelemetry/api` 1 register. Reading the symbol does not load any package. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')

function findRegistered(): Provider | undefined {
  return (globalThis as { [REGISTERED]?: { trace?: Provider } })[REGISTERED]?.trace
}

/** Without an exporter, spans are sent to the provider that the program has registered. */
export function createTracing(version: string, exporting?: Exporting): Tracing {
  let startSpan: StartSpan | undefined
  let loading: Promise<void> | undefined

  async function load(): Promise<void> {
    const { createSpans } = await import('./spans.ts')
    startSpan = createSpans(version, () => exporting?.provider ?? findRegistered())
  }
  return {
    get isOn() {
      return exporting !== undefined || findRegistered() !== undefined
    },
    prepare() {
      if (startSpan) return undefined
      loading ??= load()
      return loading
    },
    start: (span: SpanStart): OpenSpan => startSpan!(span),
    close: async () => exporting?.close(),
  }
}
