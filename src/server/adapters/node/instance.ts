import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Peers } from '../../ports/peers.ts'

/** A name for this process that its owner recognizes, and no other process has: `vendor-cloud-0-1f3a9c0b`. */
export function newInstanceName(): string {
  return `${hostname().replace(/[^\w.-]/g, '-')}-${randomUUID().slice(0, 8)}`
}

/** An instance that shares its worlds with none. */
export function createNoPeers(): Peers {
  const instance = newInstanceName()
  return { instance, ask: async () => ({ texts: [], missing: [] }), answer() {} }
}
