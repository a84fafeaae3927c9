/** W3C's `traceparent` names a span in this way, wherever it was made. */
export interface SpanReference {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
  /** `tracestate` is passed on as it was sent. */
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
  /** When false the span is dropped and needs no attributes. */
  readonly isRecorded: boolean
  /** `failed` counts as an error. */
  end(attributes: SpanAttributes, failed: boolean): void
}

/** Spans go to a collector, or to a provider that the program has registered. */
export interface Tracing {
  /** Asked for each request, so it must be cheap. */
  readonly isOn: boolean
  /** May have to be awaited before the first span. */
  prepare(): Promise<void> | undefined
  start(span: SpanStart): OpenSpan
  /** Sends what waits, within a second. */
  close(): Promise<void>
}
