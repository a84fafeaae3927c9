import { createJobQueue } from '../../src/server/adapters/job-queue.ts'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../src/server/app.ts'
import { readConfig } from '../../src/server/config.ts'
import { createRuntime, realTimer } from '../../src/server/runtime.ts'

export interface OurServerOptions {
  settings?: Readonly<Record<string, string>>
  /** Default: true, because users always have the journal. */
  journal?: boolean
  prepare?: (worlds: Awaited<ReturnType<typeof createRuntime>>) => Promise<void>
}

/** Builds the server like `npm start`, but without a log. */
export async function ourServer(options: OurServerOptions = {}): Promise<FastifyInstance> {
  const { settings = {}, journal = true, prepare } = options
  const worlds = await createRuntime(readConfig(settings), join(import.meta.dirname, '../../fixtures'))
  await prepare?.(worlds)
  const control = { open: true, worlds, jobs: createJobQueue(), version: 'bench' }
  return buildApp({ worlds, timer: realTimer, journal, control })
}
