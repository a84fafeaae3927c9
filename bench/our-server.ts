import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { createRuntime } from '../src/runtime.ts'

/** The server as `npm start` composes it, without its log: the one it is held against writes none either. */
export async function ourServer(prepare: (worlds: Awaited<ReturnType<typeof createRuntime>>) => Promise<void> = async () => {}): Promise<FastifyInstance> {
  const worlds = await createRuntime(readConfig({}), join(import.meta.dirname, '../fixtures'))
  await prepare(worlds)
  return buildApp({ worlds })
}
