import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import type { VariationKind } from '#contract/records/control/variation.ts'
import { deliveredEvent } from '#contract/records/events/platform-event.ts'
import { isVendorTraffic } from '#contract/control/vendor-traffic.ts'
import { Chance } from './chance.ts'
import { jsonKinds, type Vary } from './json.ts'
import type { Known } from './json-fields.ts'
import { soapKinds } from './soap.ts'
import { VariedStream } from './sse.ts'

/** A slow response delays its first byte by at least `SLOW` and less than `SLOW + SLOWER` milliseconds. */
const SLOW = 150
const SLOWER = 250

const compress = promisify(gzip)

/** Called for each request, so this function must be fast. */
export function varies({ ports, url }: Pick<FastifyRequest, 'ports' | 'url'>): boolean {
  return ports?.variations.read() !== undefined && isVendorTraffic(url)
}

/** The journal stores the response headers without variation. */
export interface VariedReply {
  payload: unknown
  finishHead(): void
}

/** The status and the content encoding are changed last, because only the client may see these changes. */
export async function varyReply(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<VariedReply> {
  const { kinds, chance } = draw(request)
  const borne: VariationKind[] = []
  const head: (() => void)[] = []
  let varied = payload
  if (kinds.has('http-created') && mayBeCreated(request, reply)) {
    borne.push('http-created')
    head.push(() => reply.code(201))
  }
  if (typeof payload === 'string' && payload !== '') {
    const text = varyText(payload, tableOf(reply), { kinds, chance }, knownOf(request, reply))
    borne.push(...text.borne)
    varied = text.varied
    if (kinds.has('http-gzip') && acceptsGzip(request, reply)) {
      borne.push('http-gzip')
      head.push(() => encodeHead(reply))
      varied = await compress(text.varied)
    }
    if (kinds.has('http-chunked') && request.raw.httpVersionMinor > 0 && request.method !== 'HEAD') {
      borne.push('http-chunked')
      reply.removeHeader('content-length')
      varied = Readable.from(toChunks(Buffer.from(varied as string | Buffer), chance))
    }
  }
  if (kinds.has('http-case')) {
    borne.push('http-case')
    varyHeaderNames(reply.raw, chance)
  }
  const isSlow = kinds.has('http-slow')
  if (isSlow) borne.push('http-slow')
  request.context.variation = borne
  if (isSlow) {
    request.server.reportArrival(request)
    await wait(SLOW + chance.below(SLOWER))
  }
  const finishHead = () => {
    for (const change of head) change()
  }
  return { payload: varied, finishHead }
}

/** `isNamed` returns whether a filter selects the value. A value that a filter selects must not change. */
export function varyStream(
  request: FastifyRequest,
  reply: FastifyReply,
  isNamed: Known['isNamed'],
): VariedStream | undefined {
  if (!varies(request)) return undefined
  const { kinds, chance } = draw(request)
  const borne = [...kinds].filter((kind) => kind.startsWith('sse-') || kind.startsWith('json-') || kind === 'http-case')
  request.context.variation = borne
  if (kinds.has('http-case')) varyHeaderNames(reply.raw, chance)
  const known = { schema: deliveredEvent, isNamed, isChosen: false }
  return new VariedStream(kinds, chance, (json) => varyText(json, jsonKinds, { kinds, chance }, known).varied)
}

/** A single kind applies to every suitable response. Several kinds each apply to half of the responses. */
function draw({ ports }: FastifyRequest): Random {
  const { seed, kinds } = ports.variations.read()!
  const chance = new Chance(ports.digests.sha256, `${seed}:${ports.variations.next()}`)
  return { kinds: new Set(kinds.length === 1 ? kinds : kinds.filter(() => chance.below(2) === 0)), chance }
}

interface Random {
  kinds: ReadonlySet<VariationKind>
  chance: Chance
}

function varyText(
  text: string,
  table: Readonly<Record<string, Vary>>,
  { kinds, chance }: Random,
  known: Known | undefined,
): { varied: string; borne: VariationKind[] } {
  const borne: VariationKind[] = []
  let varied = text
  for (const [kind, vary] of Object.entries(table) as [VariationKind, Vary][]) {
    const before = varied
    if (kinds.has(kind)) varied = vary(varied, chance, known)
    if (varied !== before) borne.push(kind)
  }
  return { varied, borne }
}

/** Empty for pages, images, the SOAP description, and bytes that a fault has specified. */
function tableOf(reply: FastifyReply): Readonly<Record<string, Vary>> {
  if (reply.request.context.isGiven) return {}
  const type = String(reply.getHeader('content-type'))
  if (type.startsWith('application/json')) return jsonKinds
  return type.startsWith('text/xml') && reply.request.method === 'POST' ? soapKinds : {}
}

/** Returns undefined for a route that is not an operation. */
function knownOf({ routeOptions, query, context }: FastifyRequest, { statusCode }: FastifyReply): Known | undefined {
  const schema = routeOptions.config.describe?.().response[statusCode === 201 ? 200 : statusCode]
  if (!schema) return undefined
  const said = JSON.stringify([query, context.sent])
  const isChosen = Object.hasOwn(Object(query), 'fields')
  return { schema, isNamed: (value) => said.includes(JSON.stringify(value)), isChosen }
}

/** Only document 1 declares 201. If a fault has specified the response, its status must not change. */
function mayBeCreated({ routeOptions, context }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  if (statusCode !== 200 || context.isFaultsAnswer) return false
  return routeOptions.config.describe?.().alsoDeclared.includes(201) ?? false
}

function acceptsGzip({ raw }: FastifyRequest, reply: FastifyReply): boolean {
  return !reply.hasHeader('content-encoding') && new Negotiator(raw).encodings(['gzip']).length > 0
}

function encodeHead(reply: FastifyReply): void {
  const varies = reply.getHeader('vary')
  reply.removeHeader('content-length').header('content-encoding', 'gzip')
  reply.header('vary', varies === undefined ? 'accept-encoding' : `${String(varies)}, accept-encoding`)
}

function toChunks(bytes: Buffer, chance: Chance): Buffer[] {
  return bytes.length < 2 ? [bytes] : chance.cut(bytes, 1 + chance.below(5))
}

/** RFC 9110, section 5.1: header names are not case-sensitive. */
function varyHeaderNames(raw: ServerResponse, chance: Chance): void {
  const write = chance.pick([toTitle, (name: string) => name.toUpperCase(), alternate])
  const { setHeader, writeHead } = raw
  raw.setHeader = (name, value) => setHeader.call(raw, write(name), value)
  raw.writeHead = ((status: number, headers: OutgoingHttpHeaders = {}) => {
    const renamed = Object.entries(headers).map(([name, value]) => [write(name), value])
    return writeHead.call(raw, status, Object.fromEntries(renamed) as OutgoingHttpHeaders)
  }) as typeof writeHead
}

const toTitle = (name: string) => name.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase())
const alternate = (name: string) => name.replace(/../g, ([a, b]) => a! + b!.toUpperCase())
