import type { SpanReference } from '../ports/tracing.ts'

/** W3C Trace Context, section 3.2: a later version may add fields behind the flags. */
const TRACE_PARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/

/** The W3C demands that a malformed header is ignored. */
export function readTraceParent(header: unknown, state?: unknown): SpanReference | undefined {
  const [, version, traceId, spanId, flags, more] = (typeof header === 'string' && TRACE_PARENT.exec(header)) || []
  if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined)) return undefined
  const traceState = typeof state === 'string' && state.length <= 512 ? state : undefined
  return {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags!, 16) & 1,
    ...(traceState !== undefined && { traceState }),
  }
}
