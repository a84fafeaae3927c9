/** Identifies a span in the same way as the W3C `traceparent` header. Any system may have created the span. */
export interface SpanReference {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
  /** The `tracestate` header as it was received. */
  readonly traceState?: string | undefined
}

export type SpanAttributes = Readonly<Record<string, string | number | readonly string[]>>

export interface SpanStart {
  name: string
  kind: 'server' | 'producer'
  parent: SpanReference | undefined
  link?: SpanReference | undefined
  attributes: SpanAttributes
}

export interface OpenSpan {
  readonly reference: SpanReference
  /** If false, the span is not exported and needs no attributes. */
  readonly isRecorded: boolean
  end(attributes: SpanAttributes, failed: boolean): void
}

/** Creates spans, which are sent to a collector or to a provider that the program has registered. */
export interface Tracing {
  /** Read for each request, so reading this property must be fast. */
  readonly isOn: boolean
  /** If this function returns a promise, callers must await it before the first span. */
  prepare(): Promise<void> | undefined
  start(span: SpanStart): OpenSpan
  /** Sends the pending spans, which takes at most a second. */
  close(): Promise<void>
}
