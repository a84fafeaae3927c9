import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import Negotiator from 'negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Chance } from './chance.ts'

/** Only document 1 declares it, and an answering fault has set its own status. */
export function mayBeCreated({ routeOptions, notes }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  if (statusCode !== 200 || notes.isFaultsAnswer) return false
  return routeOptions.config.describe?.().alsoDeclared.includes(201) ?? false
}

export function acceptsGzip({ raw }: FastifyRequest, reply: FastifyReply): boolean {
  return !reply.hasHeader('content-encoding') && new Negotiator(raw).encodings(['gzip']).length > 0
}

export function encodeHead(reply: FastifyReply): void {
  const varies = reply.getHeader('vary')
  reply.removeHeader('content-length').header('content-encoding', 'gzip')
  reply.header('vary', varies === undefined ? 'accept-encoding' : `${String(varies)}, accept-encoding`)
}

export function toChunks(bytes: Buffer, chance: Chance): Buffer[] {
  return bytes.length < 2 ? [bytes] : chance.cut(bytes, 1 + chance.below(5))
}

/** RFC 9110, section 5.1: names of fields have no case. */
export function varyHeaderNames(raw: ServerResponse, chance: Chance): void {
  const write = chance.pick([toTitle, (name: string) => name.toUpperCase(), alternate])
  const { setHeader, writeHead } = raw
  raw.setHeader = (name, value) => setHeader.call(raw, write(name), value)
  // Fastify and the event streams call it in this form.
  raw.writeHead = ((status: number, headers: OutgoingHttpHeaders = {}) => {
    const renamed = Object.entries(headers).map(([name, value]) => [write(name), value])
    return writeHead.call(raw, status, Object.fromEntries(renamed) as OutgoingHttpHeaders)
  }) as typeof writeHead
}

const toTitle = (name: string) => name.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase())
const alternate = (name: string) => name.replace(/../g, ([a, b]) => a! + b!.toUpperCase())
