import {
  type Attributes,
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import type { OpenSpan, SpanReference, SpanStart } from '#server/ports/tracing.ts'

export interface Provider {
  getTracer(name: string, version?: string): Tracer
}

export type StartSpan = (span: SpanStart) => OpenSpan

const NAME = 'vendor-cloud'
const kinds = { server: SpanKind.SERVER, producer: SpanKind.PRODUCER } as const
const NOWHERE: SpanReference = { traceId: '', spanId: '', traceFlags: 0 }

export function createSpans(version: string, findProvider: () => Provider | undefined): StartSpan {
  return ({ name, kind, parent, link, attributes }) => {
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, { ...toContext(parent), isRemote: true }) : ROOT_CONTEXT
    const options = {
      kind: kinds[kind],
      attributes: attributes as Attributes,
      ...(link && { links: [{ context: toContext(link) }] }),
    }
    const span = guard(() => findProvider()?.getTracer(NAME, version).startSpan(name, options, context))
    if (!span || !isSpanContextValid(span.spanContext())) {
      return { reference: parent ?? NOWHERE, isRecorded: false, end() {} }
    }
    const { traceId, spanId, traceFlags } = span.spanContext()
    return {
      reference: { traceId, spanId, traceFlags },
      isRecorded: span.isRecording(),
      end: (further, failed) =>
        void guard(() => {
          span.setAttributes(further as Attributes)
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        }),
    }
  }
}

function toContext({ traceState, ...reference }: SpanReference): SpanContext {
  return { ...reference, ...(traceState !== undefined && { traceState: createTraceState(traceState) }) }
}

/** If the program's tracing provider throws an error, the request must not fail. */
function guard<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
