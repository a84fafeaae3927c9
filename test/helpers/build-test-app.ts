import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { buildApp } from '../../src/server/app.ts'
import type { EventsOptions } from '../../src/server/events/plugin.ts'
import { createNoPeers } from '../../src/server/adapters/node/instance.ts'
import type { WorldListener, Worlds } from '../../src/server/ports/worlds.ts'
import { makeTestPorts, type TestPorts, type TestPortsOptions } from './test-ports.ts'

const ROOT = join(import.meta.dirname, '../..')
const docs = {
  examplesFile: join(ROOT, 'openapi/examples.json'),
  pageFolder: join(ROOT, 'node_modules/swagger-ui-dist'),
  projectFolder: ROOT,
}

export interface TestApp extends TestPorts {
  app: FastifyInstance
}

export interface TestAppOptions extends TestPortsOptions {
  events?: EventsOptions | undefined
  /** Folder of the console's files. */
  console?: string | undefined
}

interface ClosableTestApp extends TestApp {
  close(): Promise<void>
}

/**
 * A server with the default fixtures, a clock that stands still and known ids; every reply is checked by its schema.
 * It may have served other tests, with worlds of theirs.
 */
export function buildTestApp({ events, console, ...options }: TestAppOptions = {}): TestApp {
  const test = events || console !== undefined ? makeTestApp({ events, console, ...options }) : takeServer(options)
  onTestFinished(test.close)
  return test
}

/** A new one, for several tests or to be changed; whoever makes it closes it. */
export function makeTestApp({ events, console, ...options }: TestAppOptions = {}): ClosableTestApp {
  const ports = makeTestPorts(options)
  const { worlds } = ports
  const app = build(worlds, { events, console })
  const close = async () => {
    await app.close()
    await worlds.close()
  }
  return { ...ports, app, close }
}

/** Servers that wait for the next test, some on a port: registering all routes takes longer than most tests. */
const idle: Server[] = []

interface Server {
  app: FastifyInstance
  /** Gives it the worlds of the next test. */
  take(worlds: Worlds): void
  /** Ends what is still being answered: it would meet the next test. */
  endReplies(): void
  /** Whether nothing of this test can meet the next: it was not closed, and keeps nothing itself. */
  isReusable(): boolean
}

/** What these tell is a server's and no world's. */
const KEPT_BY_SERVER = /_control\/examination|metrics/

function takeServer(options: TestPortsOptions): ClosableTestApp {
  const ports = makeTestPorts(options)
  const server = idle.pop() ?? makeServer()
  const { app } = server
  server.take(ports.worlds)
  const close = async () => {
    if (!server.isReusable()) await app.close()
    await ports.worlds.close()
    server.endReplies()
    if (server.isReusable()) idle.push(server)
  }
  return { ...ports, app, close }
}

function makeServer(): Server {
  let now: Worlds
  const listeners: WorldListener[] = []
  const app = build({
    get fixtures() {
      return now.fixtures
    },
    peers: createNoPeers(),
    find: (name) => now.find(name),
    look: (name) => now.look(name),
    list: () => now.list(),
    create: (plan) => now.create(plan),
    delete: (name) => now.delete(name),
    reset: (name) => now.reset(name),
    restore: (...args) => now.restore(...args),
    copy: (ports) => now.copy(ports),
    onOpen(listener) {
      listeners.push(listener)
      now.onOpen(listener)
    },
  })
  const open = new Set<ServerResponse>()
  app.server.on('request', (_request, reply: ServerResponse) => {
    open.add(reply)
    reply.once('close', () => open.delete(reply))
  })
  let isReusable = true
  const useUp = async () => {
    isReusable = false
  }
  app.addHook('preClose', useUp)
  app.addHook('onRequest', async ({ url }) => {
    if (KEPT_BY_SERVER.test(url)) await useUp()
  })
  return {
    app,
    take(worlds) {
      now = worlds
      for (const listener of listeners) worlds.onOpen(listener)
    },
    endReplies() {
      for (const reply of open) reply.destroy()
    },
    isReusable: () => isReusable,
  }
}

function build(worlds: Worlds, { events = {}, console }: Pick<TestAppOptions, 'events' | 'console'> = {}) {
  return buildApp({
    worlds,
    events,
    control: { open: true, worlds, version: 'test' },
    docs,
    verifyReplies: true,
    ...(console !== undefined && { console: { folder: console } }),
  })
}

/** Listens on a free port of loopback, unless it did for a test before; gives the address. */
export async function listen(app: FastifyInstance): Promise<string> {
  const address = app.server.address()
  if (address !== null && typeof address === 'object') return `http://127.0.0.1:${address.port}`
  return app.listen({ port: 0, host: '127.0.0.1' })
}

export const asWeb = (profileId: string) => ({ 'request-source': 'vendor.com', 'vendorus-profId': profileId })
export const asApp = (guid: string, source = 'splus') => ({ 'request-source': source, 'vendorus-GUID': guid })
export const asGuest = () => ({ 'request-source': 'vendor.com' })
/** Dealers of the fixtures: company C100 and C200. */
export const asErin = () => asWeb('dealer-erin')
export const asFrank = () => asWeb('dealer-frank')
