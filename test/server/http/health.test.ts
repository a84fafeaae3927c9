import { expect, test } from 'vitest'
import { DEFAULT_WORLD } from '../../../src/contract/records/control/world.ts'
import { OutOfSpace, Unavailable } from '../../../src/server/ports/failures.ts'
import { buildTestApp } from '../../helpers/build-test-app.ts'

function buildBroken(parts: { store?: Error; bus?: Error }) {
  const { app, worlds } = buildTestApp()
  const ports = worlds.find(DEFAULT_WORLD)!
  const { store, bus } = parts
  if (store) ports.store.ping = () => Promise.reject(store)
  if (bus) ports.bus.ping = () => Promise.reject(bus)
  return app
}

const away = new Unavailable('the database cannot be reached')

test.each(['/health', '/health/ready'])('%s returns 200 if the store and the bus respond', async (url) => {
  const reply = await buildTestApp().app.inject(url)
  expect([reply.statusCode, reply.json()]).toEqual([200, { status: 'ready' }])
})

test.each([
  [{ store: away }, ['store'], 'store: the database cannot be reached'],
  [{ bus: away }, ['bus'], 'bus: the database cannot be reached'],
  [{ store: away, bus: away }, ['store', 'bus'], 'store and bus: the database cannot be reached'],
  [{ store: new OutOfSpace('') }, ['store'], 'store: the disk is full. Reads work, writes are rejected'],
  [{ store: new Error('connect to 10.0.0.7') }, ['store'], 'store: cannot be reached'],
])(
  '/health and /health/ready return 503 with the unavailable parts and the reason (%#)',
  async (parts, names, reason) => {
    const app = buildBroken(parts)
    for (const url of ['/health', '/health/ready']) {
      const reply = await app.inject(url)
      expect([reply.statusCode, reply.json()]).toEqual([503, { status: 'unavailable', reason, away: names }])
    }
    expect((await app.inject('/health/live')).statusCode).toBe(200)
  },
)
