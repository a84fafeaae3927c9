import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { VariationKind } from '../../../contract/records/control/variation.ts'
import { isVendorTraffic } from '../../../contract/control/vendor-traffic.ts'
import { Chance } from './chance.ts'
import { jsonKinds, type Vary } from './json.ts'
import { soapKinds } from './soap.ts'
import { VariedStream } from './sse.ts'

/** The kinds in which a reply may vary, and the chance that chooses. */
interface Draw {
  kinds: ReadonlySet<VariationKind>
  chance: Chance
}

/** Milliseconds of real time that a slow first byte takes at least, and less than so many more. */
const SLOW = 150
const SLOWER = 250

/** Whether replies to a request vary: asked for each. */
export function varies({ ports, url }: Pick<FastifyRequest, 'ports' | 'url'>): boolean {
  return ports?.variations.read() !== undefined && isVendorTraffic(url)
}

/** Calls `send` with what is sent in the place of a reply's payload, and notes what it bears. */
export function varyReply(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  send: (varied: unknown) => void,
): void {
  const { kinds, chance } = draw(request)
  const borne: VariationKind[] = []
  let varied = payload
  if (typeof payload === 'string' && payload !== '') {
    const text = varyText(payload, tableOf(reply), { kinds, chance })
    borne.push(...text.borne)
    varied = text.varied
    if (kinds.has('http-chunked') && request.raw.httpVersionMinor > 0 && request.method !== 'HEAD') {
      borne.push('http-chunked')
      reply.removeHeader('content-length')
      varied = Readable.from(toChunks(text.varied, chance))
    }
  }
  if (kinds.has('http-case')) {
    borne.push('http-case')
    varyHeaderNames(reply.raw, chance)
  }
  const isSlow = kinds.has('http-slow')
  if (isSlow) borne.push('http-slow')
  request.notes.variation = borne
  if (!isSlow) return send(varied)
  request.server.reportArrival(request)
  setTimeout(send, SLOW + chance.below(SLOWER), varied)
}

/** The same for an event stream, which is about to take its reply over. */
export function varyStream(request: FastifyRequest, reply: FastifyReply): VariedStream | undefined {
  if (!varies(request)) return undefined
  const { kinds, chance } = draw(request)
  const borne = [...kinds].filter((kind) => kind.startsWith('sse-') || kind.startsWith('json-') || kind === 'http-case')
  request.notes.variation = borne
  if (kinds.has('http-case')) varyHeaderNames(reply.raw, chance)
  return new VariedStream(kinds, chance, (json) => varyText(json, jsonKinds, { kinds, chance }).varied)
}

/** One kind is borne by each reply that can; of several, half. */
function draw({ ports }: FastifyRequest): Draw {
  const { seed, kinds } = ports.variations.read()!
  const chance = new Chance(ports.digests.sha256, `${seed}:${ports.variations.next()}`)
  return { kinds: new Set(kinds.length === 1 ? kinds : kinds.filter(() => chance.below(2) === 0)), chance }
}

function varyText(
  text: string,
  table: Readonly<Record<string, Vary>>,
  { kinds, chance }: Draw,
): { varied: string; borne: VariationKind[] } {
  const borne: VariationKind[] = []
  let varied = text
  for (const [kind, vary] of Object.entries(table) as [VariationKind, Vary][]) {
    const before = varied
    if (kinds.has(kind)) varied = vary(varied, chance)
    if (varied !== before) borne.push(kind)
  }
  return { varied, borne }
}

/** By the form of the reply; pages and images vary in HTTP alone, and so does the description of the SOAP service. */
function tableOf(reply: FastifyReply): Readonly<Record<string, Vary>> {
  const type = String(reply.getHeader('content-type'))
  if (type.startsWith('application/json')) return jsonKinds
  return type.startsWith('text/xml') && reply.request.method === 'POST' ? soapKinds : {}
}

function toChunks(text: string, chance: Chance): Buffer[] {
  const bytes = Buffer.from(text)
  return bytes.length < 2 ? [bytes] : chance.cut(bytes, 1 + chance.below(5))
}

/** RFC 9110, section 5.1: names of fields have no case. */
function varyHeaderNames(raw: ServerResponse, chance: Chance): void {
  const write = chance.pick([toTitle, (name: string) => name.toUpperCase(), alternate])
  const { setHeader, writeHead } = raw
  raw.setHeader = (name, value) => setHeader.call(raw, write(name), value)
  // As Fastify and the event streams call it.
  raw.writeHead = ((status: number, headers: OutgoingHttpHeaders = {}) => {
    const renamed = Object.entries(headers).map(([name, value]) => [write(name), value])
    return writeHead.call(raw, status, Object.fromEntries(renamed) as OutgoingHttpHeaders)
  }) as typeof writeHead
}

const toTitle = (name: string) => name.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase())
const alternate = (name: string) => name.replace(/../g, ([a, b]) => a! + b!.toUpperCase())
