import {
  type Attributes,
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import type { OpenSpan, SpanReference, SpanStart } from '../../ports/tracing.ts'
import type { Exporting } from './exporting.ts'

export interface Provider {
  getTracer(name: string, version?: string): Tracer
}

export type StartSpan = (span: SpanStart) => OpenSpan

interface Takers {
  version: string
  exporting: Exporting | undefined
  findRegistered(): Provider | undefined
}

const NAME = 'vendor-cloud'
const kinds = { server: SpanKind.SERVER, producer: SpanKind.PRODUCER } as const
const NOWHERE: SpanReference = { traceId: '', spanId: '', traceFlags: 0 }

/** All receivers of spans see the same ids, which are those of the registered provider. */
export function createSpans({ version, exporting, findRegistered }: Takers): StartSpan {
  return ({ name, kind, parent, link, attributes }) => {
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, { ...toContext(parent), isRemote: true }) : ROOT_CONTEXT
    const options = {
      kind: kinds[kind],
      attributes: attributes as Attributes,
      ...(link && { links: [{ context: toContext(link) }] }),
    }
    const spans: Span[] = []
    const start = (from: Provider) => from.getTracer(NAME, version).startSpan(name, options, context)
    const registered = guard(() => findRegistered()).flatMap((from) => guard(() => start(from)))
    spans.push(...registered.filter((span) => isSpanContextValid(span.spanContext())))
    if (exporting?.admit()) {
      spans.push(exporting.withIds(spans[0]?.spanContext(), () => start(exporting.provider)))
    }
    const otherwise = spans.length > 0 ? undefined : exporting?.newReference(parent)
    return toOpenSpan(spans, otherwise ?? parent ?? NOWHERE)
  }
}

function toContext({ traceState, ...reference }: SpanReference): SpanContext {
  return { ...reference, ...(traceState !== undefined && { traceState: createTraceState(traceState) }) }
}

function toOpenSpan(spans: readonly Span[], otherwise: SpanReference): OpenSpan {
  const own = spans[0]?.spanContext()
  const traceFlags = spans.reduce((flags, span) => flags | span.spanContext().traceFlags, 0)
  return {
    reference: own ? { traceId: own.traceId, spanId: own.spanId, traceFlags } : otherwise,
    isRecorded: spans.some((span) => span.isRecording()),
    end(attributes, failed) {
      for (const span of spans) {
        guard(() => {
          span.setAttributes(attributes as Attributes)
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        })
      }
    },
  }
}

/** A foreign provider that throws must not harm a request. */
function guard<T>(act: () => T): NonNullable<T>[] {
  try {
    const given = act()
    return given === undefined || given === null ? [] : [given]
  } catch {
    return []
  }
}
