import { type TraceVariables, listOf } from './variables.ts'

/** Traces stay off until the variable is mended. */
export class Unusable extends Error {}

export function isExported(exporters = 'otlp'): boolean {
  const names = listOf(exporters)
  const unknown = names.find((name) => name !== 'otlp' && name !== 'none')
  if (unknown !== undefined) throw new Unusable(`OTEL_TRACES_EXPORTER=${unknown} is not otlp or none`)
  return !names.includes('none')
}

export function readUrl(given: TraceVariables): string | undefined {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_EXPORTER_OTLP_ENDPOINT: base } = given
  if (own !== undefined) return toUrl('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', own, own)
  if (base === undefined) return undefined
  return toUrl('OTEL_EXPORTER_OTLP_ENDPOINT', base, `${base.trim().replace(/\/+$/, '')}/v1/traces`)
}

function toUrl(name: string, given: string, url: string): string {
  if (URL.canParse(given) && /^https?:\/\/[^/]/i.test(given.trim()) && URL.canParse(url)) return new URL(url).href
  throw new Unusable(`${name} is no address such as http://localhost:4318`)
}

export function assertProtocol(given: TraceVariables): void {
  const name =
    given.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL === undefined
      ? 'OTEL_EXPORTER_OTLP_PROTOCOL'
      : 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'
  const protocol = given[name]?.trim() ?? 'http/json'
  if (['http/json', 'http/protobuf'].includes(protocol)) return
  throw new Unusable(`${name}=${protocol} is not spoken here; http/json is, and http/protobuf is sent as JSON`)
}
