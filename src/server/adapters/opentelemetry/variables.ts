export interface TraceVariables {
  OTEL_SDK_DISABLED?: string | undefined
  OTEL_TRACES_EXPORTER?: string | undefined
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_PROTOCOL?: string | undefined
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL?: string | undefined
  OTEL_EXPORTER_OTLP_HEADERS?: string | undefined
  OTEL_EXPORTER_OTLP_TRACES_HEADERS?: string | undefined
  OTEL_EXPORTER_OTLP_TIMEOUT?: string | undefined
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT?: string | undefined
  OTEL_EXPORTER_OTLP_COMPRESSION?: string | undefined
  OTEL_EXPORTER_OTLP_TRACES_COMPRESSION?: string | undefined
  OTEL_SERVICE_NAME?: string | undefined
  OTEL_RESOURCE_ATTRIBUTES?: string | undefined
  OTEL_TRACES_SAMPLER?: string | undefined
  OTEL_TRACES_SAMPLER_ARG?: string | undefined
  OTEL_BSP_SCHEDULE_DELAY?: string | undefined
  OTEL_BSP_EXPORT_TIMEOUT?: string | undefined
  OTEL_BSP_MAX_QUEUE_SIZE?: string | undefined
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE?: string | undefined
}

export function readRatio(given: string | undefined, tell: (line: string) => void): number {
  const ratio = given === undefined ? 1 : Number(given)
  if (given?.trim() !== '' && ratio >= 0 && ratio <= 1) return ratio
  tell(`OTEL_TRACES_SAMPLER_ARG=${given} is no number from 0 to 1`)
  return 1
}

/** W3C's baggage has the form `key=value,key=value` with percent-encoded values. */
export function readPairs(name: string, given: string, tell: (line: string) => void): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (const pair of listOf(given)) {
    const at = pair.indexOf('=')
    try {
      if (at < 1) throw new URIError()
      pairs[decodeURIComponent(pair.slice(0, at).trim())] = decodeURIComponent(pair.slice(at + 1).trim())
    } catch {
      tell(`a part of ${name} is no pair such as key=value`)
    }
  }
  return pairs
}

/** Node would throw at other headers, for each batch. */
export function readHeaders(
  given: Readonly<Record<string, string>>,
  tell: (line: string) => void,
): Record<string, string> {
  const kept = Object.entries(given).filter(([name, value]) => {
    const isHeader = /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    if (!isHeader) tell('a part of OTEL_EXPORTER_OTLP_HEADERS is no header')
    return isHeader
  })
  return Object.fromEntries(kept)
}

export function listOf(text: string): string[] {
  return text.split(',').flatMap((each) => each.trim() || [])
}
