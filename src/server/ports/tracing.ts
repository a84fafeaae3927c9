/** A span as W3C's `traceparent` names it, wherever it was made. */
export interface SpanReference {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
  /** `tracestate`, as it was sent. */
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
  /** Whether anybody keeps it: another costs its attributes nothing. */
  readonly isRecorded: boolean
  /** `failed`: it counts as an error. */
  end(attributes: SpanAttributes, failed: boolean): void
}

/** Takes spans, for a collector and for a provider that the program around has registered. */
export interface Tracing {
  /** Whether anybody takes spans now; asked for each request. */
  readonly isOn: boolean
  /** To be awaited before the first span, if anything. */
  prepare(): Promise<void> | undefined
  start(span: SpanStart): OpenSpan
  /** Sends what waits, for a second at most. */
  close(): Promise<void>
}
