import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { ProxyAgent } from 'undici'
import { expect, onTestFinished } from 'vitest'
import type { Answering } from '../../src/cli/proxy/answering.ts'
import { openRecord, type UpstreamOptions } from '../../src/cli/proxy/upstream.ts'
import { createForwardProxy } from '../../src/tools/proxy/forward-proxy.ts'
import { readNamedHost } from '../../src/contract/documents/named-hosts.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

export const HOST = 'support.vendor.example'
const hosts = [HOST, 'billing.vendor.example=billing'].map(readNamedHost)

/** This proxy handles only HTTP, so it needs no certificate authority. */
export async function beginProxy(answering: Answering) {
  const certify = () => Promise.reject(new Error('this proxy speaks HTTP alone'))
  const server = createForwardProxy({ hosts, certify, answer: answering.answer, now: Date.now })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  answering.begin?.()
  const { port } = server.address() as AddressInfo
  const dispatcher = new ProxyAgent(`http://127.0.0.1:${port}`)
  const close = async () => {
    await dispatcher.destroy()
    server.close()
    server.closeAllConnections()
    await answering.close()
  }
  onTestFinished(close)
  return { dispatcher, port, close }
}

export async function beginRecord(upstream: string, options: UpstreamOptions = {}) {
  const out = join(makeTemporaryFolder(), 'recorded.jsonl')
  const told: string[] = []
  const sink = { write: (line: string) => told.push(line) }
  const given = { upstream, out, rate: '9999', 'allow-writes': 'all', ...options }
  const proxy = await beginProxy(await openRecord(given, { stdout: sink, stderr: sink }))
  return { ...proxy, out, told }
}

export async function listenAs(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => server.close().closeAllConnections())
  expect(server.listening).toBe(true)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
