import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { buildApp } from '../../src/server/app.ts'
import { readConfig } from '../../src/server/config.ts'
import { emitDeviceEvent } from '../../src/server/domain/events/device-events.ts'
import { registrationKeyOf } from '../../src/server/domain/events/stream-access.ts'
import { createSubscription } from '../../src/server/domain/events/subscriptions.ts'
import type { Ports } from '../../src/server/ports.ts'
import { DEFAULT_WORLD } from '../../src/contract/records/control/world.ts'
import { createRuntime } from '../../src/server/runtime.ts'
import type { SubscriptionFilter } from '../../src/contract/records/events/subscription.ts'

const HOME = '11111111-0000-4000-8000-000000000001'

type Order =
  | { kind: 'subscribe'; from: number; count: number; own: boolean }
  | { kind: 'emit'; turns: number; burst: number; device: number | undefined }
  | { kind: 'cost' }
  | { kind: 'memory' }

/** The server is bundled in the same way as the published one and runs in its own process. */
export interface StreamServer {
  port: number
  /** Each subscription has its own token. With `own`, each subscription also has its own device. */
  subscribe(from: number, count: number, own?: boolean): Promise<string[]>
  /** Sends each burst in one event-loop tick. `device` selects a device with its own subscription. */
  emit(order: { turns: number; burst: number; device?: number }): Promise<void>
  cpu(): Promise<number>
  memory(): Promise<number>
  stop(): void
}

export async function startStreamServer(file: string): Promise<StreamServer> {
  const { bundle } = await import('./bundle.ts')
  const child = fork(await bundle(file), ['serve'], { execArgv: ['--expose-gc'] })
  const [{ port }] = await once(child, 'message')
  return {
    port,
    subscribe: (from, count, own = false) => ask(child, { kind: 'subscribe', from, count, own }),
    emit: ({ turns, burst, device }) => ask(child, { kind: 'emit', turns, burst, device }),
    cpu: () => ask(child, { kind: 'cost' }),
    memory: () => ask(child, { kind: 'memory' }),
    stop: () => child.kill(),
  }
}

/** In a child process, serves and resolves with true. In the process of the benchmark, resolves with false. */
export async function serveStreams(): Promise<boolean> {
  if (process.argv[2] !== 'serve' || !process.send) return false
  const worlds = await createRuntime(readConfig({}), join(import.meta.dirname, '../../fixtures'))
  const app = buildApp({ worlds, maxConnections: 50_000, events: { maxStreams: 50_000, heartbeatSeconds: 86_400 } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const ports = worlds.find(DEFAULT_WORLD)!
  process.on('message', (order: Order) => void obey(ports, order).then((done) => process.send?.({ done })))
  process.send({ port: (app.server.address() as { port: number }).port })
  return true
}

async function ask<T>(child: ChildProcess, order: Order): Promise<T> {
  child.send(order)
  const [{ done }] = await once(child, 'message')
  return done as T
}

async function obey(ports: Ports, order: Order): Promise<unknown> {
  if (order.kind === 'subscribe') return subscribe(ports, order.from, order.count, order.own)
  if (order.kind === 'emit') return emit(ports, order)
  const { user, system } = process.cpuUsage()
  if (order.kind === 'cost') return user + system
  for (let i = 0; i < 3; i++) globalThis.gc?.()
  return process.memoryUsage.rss()
}

async function subscribe(ports: Ports, from: number, count: number, own: boolean): Promise<string[]> {
  const paths: string[] = []
  for (let i = from; i < from + count; i++) {
    const token = {
      tokenDigest: `digest-${i}`,
      user: `user-${i}`,
      scopes: ['r:locations:*', 'r:devices:*'],
      locations: [HOME],
      expiresAt: '2100-01-01T00:00:00.000Z',
    }
    const device = {
      deviceId: `device-${i}`,
      locationId: HOME,
      name: `Device ${i}`,
      status: 'ONLINE' as const,
      components: {},
    }
    await ports.store.transaction(async (tx) => {
      await tx.accessTokens.put(token)
      if (own) await tx.devices.put(device)
    })
    const filter: SubscriptionFilter = own
      ? { type: 'DEVICEIDS', value: [device.deviceId], capability: 'switch', attribute: 'switch' }
      : { type: 'LOCATIONIDS', value: ['ALL'] }
    const draft = { name: 'bench', version: 1, subscriptionFilters: [filter] }
    const { subscriptionId } = await createSubscription(ports, token, draft)
    paths.push(`/filters/${subscriptionId}/activate?key=${await registrationKeyOf(ports, subscriptionId)}`)
  }
  return paths
}

async function emit(ports: Ports, { turns, burst, device }: Extract<Order, { kind: 'emit' }>): Promise<void> {
  const deviceId = device === undefined ? 'aaaaaaaa-0000-4000-8000-000000000001' : `device-${device}`
  for (let turn = 0; turn < turns; turn++) {
    for (let i = 0; i < burst; i++) {
      await emitDeviceEvent(ports, deviceId, { capability: 'switch', attribute: 'switch', value: i % 2 ? 'on' : 'off' })
    }
    // The next burst starts when all data of this one has been written.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  }
}
