import type { OpenSpan, SpanStart, Tracing } from '#server/ports/tracing.ts'
import type { Exporting } from './exporting.ts'
import type { Provider, StartSpan } from './spans.ts'

/** Every copy of `@opentelemetry/api` 1 keeps a program's registration here; looking there loads nothing. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')

function findRegistered(): Provider | undefined {
  return (globalThis as { [REGISTERED]?: { trace?: Provider } })[REGISTERED]?.trace
}

/** Spans go to the exporter where there is one, otherwise to the provider that the program has registered. */
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
