import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { call } from '../../system/acceptance/server.ts'

export const noon = { now: '2026-05-04T12:00:00Z', frozen: true }

export interface Reply {
  status: number
  headers: Record<string, string>
  body: Record<string, unknown>
  text: string
}

export interface Asked {
  method: string
  url: string
  headers: IncomingHttpHeaders
}

export interface VendorChange {
  /** Changes requests to any path. */
  ask?: (request: Asked) => void
  /** Choices of the copy that differ from the default, or the name of a built-in profile. */
  choices?: Record<string, unknown> | string
  /** Milliseconds by which the clock of the copy is ahead. */
  aheadMs?: number
  path?: RegExp
  change?: (reply: Reply, request: Asked) => void
  wire?: 'gzip' | 'chunked' | 'close' | 'reset' | 'cut'
}

type Started = Awaited<ReturnType<typeof startServer>>

/** All test files share one server. Each vendor is a separate world on this server. */
let started: Promise<Started> | undefined
let count = 0

/** Opens a world that behaves like another vendor, because its responses are changed. */
export async function openVendor(vendor: VendorChange, seed: string): Promise<string> {
  started ??= startServer(readConfig({ PORT: '0', LOG_LEVEL: 'silent' }))
  const server = await started
  const name = `vendor-${++count}`
  onTestFinished(async () => void (await call(`${server.url}/_control/worlds/${name}`, 'DELETE')))
  const { choices = {}, aheadMs = 0 } = vendor
  const now = new Date(Date.parse(noon.now) + aheadMs).toISOString()
  const profile = typeof choices === 'string' ? choices : { profile: 'custom', choices }
  const made = await call(`${server.url}/_control/worlds`, 'POST', { name, seed, now, frozen: true, profile })
  if (made.status !== 200) throw new Error(made.text)
  if (!vendor.ask && !vendor.change && !vendor.wire) return `${server.url}/w/${name}`
  const proxy = createServer((incoming, outgoing) => void pass(server.url, vendor, incoming, outgoing))
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/w/${name}`
}

async function pass(
  origin: string,
  vendor: VendorChange,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const asked: Asked = { method: incoming.method!, url: incoming.url!, headers: { ...incoming.headers } }
  vendor.ask?.(asked)
  const { method, url, headers } = asked
  const onward = request(origin + url, { method, headers }, async (answer) => {
    const isMeant = !vendor.path || vendor.path.test(url)
    if (!isMeant || String(answer.headers['content-type']).startsWith('text/event-stream')) {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
      return
    }
    const text = (await buffer(answer)).toString()
    const kept = Object.entries(answer.headers).filter(
      ([name]) => !/^(?:content-length|connection|keep-alive)$/.test(name),
    )
    const reply: Reply = {
      status: answer.statusCode!,
      headers: Object.fromEntries(kept) as never,
      body: parse(text),
      text,
    }
    const before = JSON.stringify(reply.body)
    vendor.change?.(reply, asked)
    if (JSON.stringify(reply.body) !== before) reply.text = JSON.stringify(reply.body)
    write(reply, vendor, outgoing)
  })
  onward.on('error', () => outgoing.destroy())
  incoming.pipe(onward)
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

function write({ status, headers, text }: Reply, { wire }: VendorChange, outgoing: ServerResponse): void {
  if (wire === 'reset') return void outgoing.destroy()
  if (wire === 'close') headers['connection'] = 'close'
  const isCoded = wire === 'gzip' && text !== ''
  if (isCoded) Object.assign(headers, { 'content-encoding': 'gzip', vary: 'accept-encoding' })
  const bytes = isCoded ? gzipSync(text) : Buffer.from(text)
  if (wire === 'cut') {
    outgoing.writeHead(status, { ...headers, 'content-length': bytes.length + 10 })
    outgoing.write(bytes.subarray(0, 5), () => outgoing.destroy())
    return
  }
  const isSplit = wire === 'chunked' && bytes.length > 1
  outgoing.writeHead(status, isSplit ? headers : { ...headers, 'content-length': bytes.length })
  if (isSplit) for (let at = 0; at < bytes.length; at += 700) outgoing.write(bytes.subarray(at, at + 700))
  outgoing.end(isSplit ? undefined : bytes)
}
