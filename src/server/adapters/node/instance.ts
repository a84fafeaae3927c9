import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Peers } from '../../ports/peers.ts'

/** Owners recognize the name, and no other process has it: `vendor-cloud-0-1f3a9c0b`. */
export function newInstanceName(): string {
  return `${hostname().replace(/[^\w.-]/g, '-')}-${randomUUID().slice(0, 8)}`
}

export function createNoPeers(): Peers {
  const instance = newInstanceName()
  return { instance, ask: async () => ({ texts: [], missing: [] }), answer() {} }
}
