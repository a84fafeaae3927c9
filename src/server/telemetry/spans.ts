import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DomainError } from '../domain/errors.ts'
import type { SpanAttributes, SpanReference, Tracing } from '../ports/tracing.ts'
import { REDACTED } from '#contract/records/secret-names.ts'
import { prefixOf } from '../http/addresses.ts'
import { operationOf } from '../http/request-context.ts'

/** Health checks and metrics scrapes are not traced, because they would fill the collector. */
const untraced = /^\/(?:health|metrics)(?:[/?]|$)/
/** Method names of the HTTP semantic conventions. All other methods become `_OTHER`. */
const methods: ReadonlySet<string> = new Set('CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT TRACE'.split(' '))
/** Limits for span attributes. An error may have a hundred findings, and a host name can have any length. */
const MOST_RULES = 20
const LONGEST = 256

type BeginTrace = (request: FastifyRequest) => Promise<void> | undefined

/** If tracing is off, the trace ID in the request is still logged. */
export function createTraceStart(tracing: Tracing | undefined): BeginTrace {
  return (request) => {
    const isTraced = tracing?.isOn === true && !untraced.test(request.url)
    const { traceparent, tracestate } = request.headers
    if (traceparent === undefined && !isTraced) return undefined
    const parent = readTraceParent(traceparent, tracestate)
    request.context.traceId = parent?.traceId
    if (!isTraced) return undefined
    const start = () => {
      const span = tracing.start({
        name: nameOf(request),
        kind: 'server',
        parent,
        attributes: requestAttributes(request),
      })
      // If a provider's spans have no IDs, the provider does not record spans.
      if (span.reference.traceId === '') return
      request.context.span = span
      request.context.traceId = span.reference.traceId
    }
    const preparing = tracing.prepare()
    if (preparing) return preparing.then(start)
    start()
    return undefined
  }
}

function nameOf({ method, context: { route } }: FastifyRequest): string {
  const known = methods.has(method) ? method : 'HTTP'
  return route.url === undefined ? known : `${known} ${route.url}`
}

/** Samplers use these attributes for their decision, so they are set when the span starts. */
function requestAttributes({ method, context: { route }, protocol }: FastifyRequest): SpanAttributes {
  return {
    'http.request.method': methods.has(method) ? method : '_OTHER',
    'url.scheme': protocol === 'https' ? 'https' : 'http',
    ...(route.url !== undefined && { 'http.route': route.url }),
  }
}

export function endSpan(request: FastifyRequest, { statusCode }: FastifyReply): void {
  const { span, unanswered } = request.context
  if (!span) return
  const failed = unanswered || statusCode >= 500
  if (!span.isRecorded) return span.end({}, failed)
  span.end({ ...answeredOf(request, statusCode), ...vendorOf(request) }, failed)
}

function answeredOf(request: FastifyRequest, status: number): SpanAttributes {
  const { ip, hostname, raw, context } = request
  return {
    'url.path': displayedPath(request),
    ...(hostname && { 'server.address': hostname.slice(0, LONGEST) }),
    'client.address': ip,
    'network.protocol.version': raw.httpVersion,
    ...(context.unanswered ? { 'error.type': 'unanswered' } : { 'http.response.status_code': status }),
    ...(!context.unanswered && status >= 500 && { 'error.type': String(status) }),
  }
}

function vendorOf(request: FastifyRequest): SpanAttributes {
  const { ports, context } = request
  const { refusal, faults, variation, journalId } = context
  const operation = operationOf(request)
  return {
    'vendor.world': ports.world.name,
    'vendor.clock': new Date(ports.clock.now()).toISOString(),
    ...(operation !== undefined && { 'vendor.operation': String(operation) }),
    ...(journalId !== undefined && { 'vendor.journal_id': journalId }),
    ...(refusal && rulesOf(refusal)),
    ...(faults && { 'vendor.fault': oneOrList(faults) }),
    ...(variation && { 'vendor.variation': [...variation] }),
  }
}

/** Messages may contain parts of the request, so the span contains only the sources of the violated rules. */
function rulesOf({ source, findings }: DomainError): SpanAttributes {
  const rules = findings.length > 0 ? findings.slice(0, MOST_RULES) : [{ source }]
  const places = rules.map((rule) => rule.source ?? source ?? '')
  return places.some((place) => place !== '') ? { 'vendor.source': oneOrList(places) } : {}
}

function oneOrList(texts: readonly string[]): string | readonly string[] {
  return texts.length === 1 ? texts[0]! : [...texts]
}

/** A long path segment with a digit may be a key or a token. */
const LONG_PART = /\/(?=[^/]*\d)[^/]{20,}/g

/** Returns the route. If no route matches, returns the path. The result contains no query and no parameter values. */
export function displayedPath({ url, ports, context: { route } }: FastifyRequest): string {
  return prefixOf(ports.world.name) + (route.url ?? url.split(/[?;]/, 1)[0]!.replace(LONG_PART, `/${REDACTED}`))
}

/** W3C Trace Context, section 3.2: a later version may add fields after the flags. */
const TRACE_PARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/

/** W3C Trace Context requires that a malformed header is ignored. */
function readTraceParent(header: unknown, state?: unknown): SpanReference | undefined {
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
