import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { VariationKind } from '#contract/records/control/variation.ts'
import { deliveredEvent } from '#contract/records/events/platform-event.ts'
import { isVendorTraffic } from '#contract/control/vendor-traffic.ts'
import { Chance } from './chance.ts'
import { jsonKinds } from './json.ts'
import type { Known } from './json-fields.ts'
import { VariedStream } from './sse.ts'
import { mayBeCreated, acceptsGzip, encodeHead, toChunks, varyHeaderNames } from './http-kinds.ts'
import { type Draw, varyText, tableOf, knownOf } from './varied-text.ts'

/** A slow first byte takes from `SLOW` to less than `SLOW + SLOWER` milliseconds. */
const SLOW = 150
const SLOWER = 250

const compress = promisify(gzip)

/** Asked for each request, so it must be cheap. */
export function varies({ ports, url }: Pick<FastifyRequest, 'ports' | 'url'>): boolean {
  return ports?.variations.read() !== undefined && isVendorTraffic(url)
}

/** The journal keeps the head as it was before variation. */
export interface VariedReply {
  payload: unknown
  finishHead(): void
}

/** Status and coding concern only the receiver, so they change at the very end. */
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
  request.notes.variation = borne
  if (isSlow) {
    request.server.reportArrival(request)
    await wait(SLOW + chance.below(SLOWER))
  }
  const finishHead = () => {
    for (const change of head) change()
  }
  return { payload: varied, finishHead }
}

/** `isNamed` tells whether a filter asks for a value, which then must not change. */
export function varyStream(
  request: FastifyRequest,
  reply: FastifyReply,
  isNamed: Known['isNamed'],
): VariedStream | undefined {
  if (!varies(request)) return undefined
  const { kinds, chance } = draw(request)
  const borne = [...kinds].filter((kind) => kind.startsWith('sse-') || kind.startsWith('json-') || kind === 'http-case')
  request.notes.variation = borne
  if (kinds.has('http-case')) varyHeaderNames(reply.raw, chance)
  const known = { schema: deliveredEvent, isNamed, isChosen: false }
  return new VariedStream(kinds, chance, (json) => varyText(json, jsonKinds, { kinds, chance }, known).varied)
}

/** A single kind strikes every reply that can bear it; of several, half do. */
function draw({ ports }: FastifyRequest): Draw {
  const { seed, kinds } = ports.variations.read()!
  const chance = new Chance(ports.digests.sha256, `${seed}:${ports.variations.next()}`)
  return { kinds: new Set(kinds.length === 1 ? kinds : kinds.filter(() => chance.below(2) === 0)), chance }
}
