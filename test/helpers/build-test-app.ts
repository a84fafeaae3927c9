import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { buildApp } from '../../src/app.ts'
import type { EventsOptions } from '../../src/events/plugin.ts'
import { makeTestPorts, type TestPorts, type TestPortsOptions } from './test-ports.ts'

const ROOT = join(import.meta.dirname, '../..')
const docs = {
  examplesFile: join(ROOT, 'openapi/examples.json'),
  pageFolder: join(ROOT, 'node_modules/swagger-ui-dist'),
}

export interface TestApp extends TestPorts {
  app: FastifyInstance
}

export interface TestAppOptions extends TestPortsOptions {
  events?: EventsOptions
  /** Folder of the console's files. */
  console?: string | undefined
}

/**
 * A server with the default fixtures, a clock that stands still and known ids; every reply is checked by its schema.
 */
export function buildTestApp(options: TestAppOptions = {}): TestApp {
  const test = makeTestApp(options)
  onTestFinished(test.close)
  return test
}

/** The same for several tests; whoever makes it closes it. */
export function makeTestApp({ events = {}, console, ...options }: TestAppOptions = {}): TestApp & {
  close(): Promise<void>
} {
  const ports = makeTestPorts(options)
  const { worlds } = ports
  const app = buildApp({
    worlds,
    events,
    control: { open: true, worlds, version: 'test' },
    docs,
    verifyReplies: true,
    ...(console !== undefined && { console: { folder: console } }),
  })
  const close = async () => {
    await app.close()
    await worlds.close()
  }
  return { ...ports, app, close }
}

/** Listens on a free port of loopback; gives the address. */
export async function listen(app: FastifyInstance): Promise<string> {
  return app.listen({ port: 0, host: '127.0.0.1' })
}

export const asWeb = (profileId: string) => ({ 'request-source': 'vendor.com', 'vendorus-profId': profileId })
export const asApp = (guid: string, source = 'splus') => ({ 'request-source': source, 'vendorus-GUID': guid })
export const asGuest = () => ({ 'request-source': 'vendor.com' })
/** Dealers of the fixtures: company C100 and C200. */
export const asErin = () => asWeb('dealer-erin')
export const asFrank = () => asWeb('dealer-frank')
