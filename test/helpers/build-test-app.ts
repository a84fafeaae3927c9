import { createJobQueue } from '../../src/server/adapters/job-queue.ts'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import { onTestFinished } from 'vitest'
import type * as z from 'zod'
import { buildApp } from '../../src/server/app.ts'
import { createSerializerCompiler } from '../../src/server/http/zod.ts'
import type { EventsOptions } from '../../src/server/events/plugin.ts'
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
  console?: string | undefined
  guides?: string | undefined
}

interface ClosableTestApp extends TestApp {
  close(): Promise<void>
}

/**
 * The clock is paused, IDs are predictable, and every response is validated. Earlier tests may have used the returned
 * app with other worlds.
 */
export function buildTestApp({ events, console, guides, ...options }: TestAppOptions = {}): TestApp {
  const isOwn = events || console !== undefined || guides !== undefined
  const test = isOwn ? makeTestApp({ events, console, guides, ...options }) : takeServer(options)
  onTestFinished(test.close)
  return test
}

export function makeTestApp({ events, console, guides, ...options }: TestAppOptions = {}): ClosableTestApp {
  const ports = makeTestPorts(options)
  const { worlds } = ports
  const app = build(worlds, { events, console, guides })
  const close = async () => {
    await app.close()
    await worlds.close()
  }
  return { ...ports, app, close }
}

/**
 * Servers that are free for the next test. Some of them still listen on a port. They are reused because registering all
 * routes takes longer than most tests.
 */
const idle: Server[] = []

interface Server {
  app: FastifyInstance
  take(worlds: Worlds): void
  /** Ends pending responses, because these could otherwise affect the next test. */
  endReplies(): void
  /** Returns false if this test has left anything that could affect the next test. */
  isReusable(): boolean
}

/** Addresses whose data belongs to the server and not to a world. A server that has such data cannot be reused. */
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
    get size() {
      return now.size
    },
    find: (name) => now.find(name),
    look: (name) => now.look(name),
    describe: (name) => now.describe(name),
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
    isReusable: () => isReusable && !app.drain.isAnnounced,
  }
}

type BuildOptions = Pick<TestAppOptions, 'events' | 'console' | 'guides'>

function build(worlds: Worlds, { events = {}, console, guides }: BuildOptions = {}) {
  const app = buildApp({
    worlds,
    events,
    control: { open: true, worlds, jobs: createJobQueue(), version: 'test' },
    docs: { ...docs, guideFolder: guides },
    ...(console !== undefined && { console: { folder: console } }),
  })
  return app.setSerializerCompiler(createVerifyingCompiler())
}

/** Throws if a response does not match its schema. */
function createVerifyingCompiler(): FastifySerializerCompiler<z.ZodType> {
  const compile = createSerializerCompiler()
  return (route) => {
    const serialize = compile(route)
    return (value) => {
      const text = serialize(value)
      route.schema.parse(JSON.parse(text))
      return text
    }
  }
}

/** Listens on loopback. The port stays open for later tests. */
export async function listen(app: FastifyInstance): Promise<string> {
  const address = app.server.address()
  if (address !== null && typeof address === 'object') return `http://127.0.0.1:${address.port}`
  return app.listen({ port: 0, host: '127.0.0.1' })
}

export const asWeb = (profileId: string) => ({ 'request-source': 'vendor.com', 'vendorus-profId': profileId })
export const asApp = (guid: string, source = 'splus') => ({ 'request-source': source, 'vendorus-GUID': guid })
export const asGuest = () => ({ 'request-source': 'vendor.com' })
/** In the fixtures, this dealer belongs to company C100. */
export const asErin = () => asWeb('dealer-erin')
