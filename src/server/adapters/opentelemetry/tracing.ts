import type { OpenSpan, SpanStart, Tracing } from '#server/ports/tracing.ts'
import type { Exporting } from './exporting.ts'
import type { Provider, StartSpan } from './spans.ts'

/**
 * All copies of `@opentelemetry/api` 1 store the program's registration under this symbol. Reading the symbol does not
 * load any package.
 */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')

function findRegistered(): Provider | undefined {
  return (globalThis as { [REGISTERED]?: { trace?: Provider } })[REGISTERED]?.trace
}

/**
 * If there is an exporter, spans are sent to it. Otherwise, they are sent to the provider that the program has
 * registered.
 */
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
