import type { Ports } from '../../../src/server/ports.ts'
import { DEFAULT_WORLD } from '../../../src/contract/records/control/world.ts'
import { emitDeviceEvent } from '../../../src/server/domain/events/device-events.ts'
import type { DeviceChange } from '../../../src/contract/records/events/device-change.ts'
import type { SubscriptionFilter } from '../../../src/contract/records/events/subscription.ts'
import { buildTestApp, listen, type TestApp, type TestAppOptions } from '../build-test-app.ts'
import { openStream, type StreamReader } from './stream-reader.ts'

export const HOME = '11111111-0000-4000-8000-000000000001'
export const CABIN = '11111111-0000-4000-8000-000000000002'
export const ELSEWHERE = '22222222-0000-4000-8000-000000000001'
export const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'
export const MOTION = 'aaaaaaaa-0000-4000-8000-000000000002'
export const THERMOSTAT = 'aaaaaaaa-0000-4000-8000-000000000003'
export const CONTACT = 'aaaaaaaa-0000-4000-8000-000000000004'
export const STUDIO_LIGHT = 'bbbbbbbb-0000-4000-8000-000000000001'
export const LIGHTS_AT_HOME = 'cccccccc-0000-4000-8000-000000000001'

export const ALL: SubscriptionFilter[] = [{ type: 'LOCATIONIDS', value: ['ALL'] }]

export interface CreatedSubscription {
  subscriptionId: string
  registrationUrl: string
  name: string
  version: number
  subscriptionFilters: { type: string }[]
}

export interface EventServer extends TestApp {
  ports: Ports
  address: string
  call(
    method: string,
    path: string,
    options?: CallOptions,
  ): Promise<{ status: number; body: unknown; headers: Headers }>
  subscribe(filters?: SubscriptionFilter[], options?: { name?: string; token?: string }): Promise<CreatedSubscription>
  stream(filters?: SubscriptionFilter[], options?: { name?: string; token?: string }): Promise<OpenedStream>
  emit(deviceId: string, value: unknown, change?: Partial<DeviceChange>): Promise<void>
}

export interface OpenedStream extends CreatedSubscription {
  reader: StreamReader
}

interface CallOptions {
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

export const asBearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Starts a server on a port, because streams need a real socket. The clock is paused. */
export async function startEvents(options: TestAppOptions = {}): Promise<EventServer> {
  const test = buildTestApp(options)
  const address = await listen(test.app)
  const ports = test.worlds.find(DEFAULT_WORLD)!

  async function call(method: string, path: string, { token = 'token-home', body, headers = {} }: CallOptions = {}) {
    const reply = await fetch(address + path, {
      method,
      headers: { ...(token && asBearer(token)), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await reply.text()
    return { status: reply.status, body: text ? (JSON.parse(text) as unknown) : undefined, headers: reply.headers }
  }

  async function subscribe(subscriptionFilters = ALL, { name = 'test', token = 'token-home' } = {}) {
    const { body } = await call('POST', '/subscriptions', { token, body: { name, subscriptionFilters } })
    return body as CreatedSubscription
  }

  return {
    ...test,
    ports,
    address,
    call,
    subscribe,
    async stream(filters, how) {
      const created = await subscribe(filters, how)
      const reader = await openStream(created.registrationUrl)
      await reader.next()
      return { ...created, reader }
    },
    async emit(deviceId, value, change = {}) {
      await emitDeviceEvent(ports, deviceId, { capability: 'switch', attribute: 'switch', ...change, value })
    },
  }
}
