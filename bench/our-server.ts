import { join } from 'node:path'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { createRuntime, realTimer } from '../src/runtime.ts'

export interface OurServerOptions {
  /** Whether requests are journaled, as they always are for users. */
  journal?: boolean
  /** The one it is held against logs too. */
  logger?: FastifyBaseLogger
  /** Puts what the benchmark needs into the worlds. */
  prepare?: (worlds: Awaited<ReturnType<typeof createRuntime>>) => Promise<void>
}

/** The server as `npm start` composes it, but with a log only where the one it is held against writes one. */
export async function ourServer({ journal = true, logger, prepare }: OurServerOptions = {}): Promise<FastifyInstance> {
  const worlds = await createRuntime(readConfig({}), join(import.meta.dirname, '../fixtures'))
  await prepare?.(worlds)
  const control = { open: true, worlds, version: 'bench' }
  return buildApp({ worlds, timer: realTimer, journal, control, ...(logger && { logger }) })
}
