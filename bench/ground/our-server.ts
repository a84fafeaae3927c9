import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../src/server/app.ts'
import { readConfig } from '../../src/server/config.ts'
import { createRuntime, realTimer } from '../../src/server/runtime.ts'

export interface OurServerOptions {
  /** By the names of environment variables. */
  settings?: Readonly<Record<string, string>>
  /** Whether requests are journaled, as they always are for users. */
  journal?: boolean
  /** Puts what the benchmark needs into the worlds. */
  prepare?: (worlds: Awaited<ReturnType<typeof createRuntime>>) => Promise<void>
}

/** The server as `npm start` composes it, but without a log. */
export async function ourServer(options: OurServerOptions = {}): Promise<FastifyInstance> {
  const { settings = {}, journal = true, prepare } = options
  const worlds = await createRuntime(readConfig(settings), join(import.meta.dirname, '../../fixtures'))
  await prepare?.(worlds)
  const control = { open: true, worlds, version: 'bench' }
  return buildApp({ worlds, timer: realTimer, journal, control })
}
