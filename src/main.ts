import { existsSync } from 'node:fs'
import { join } from 'node:path'
import closeWithGrace from 'close-with-grace'
import { pino } from 'pino'
import { buildApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { createRuntime } from './runtime.ts'
import { FixtureError } from './seed.ts'

/** Fixtures and examples stand beside `src` and beside `dist`; the build copies the docs page to where this file is. */
const ROOT = join(import.meta.dirname, '..')
const FIXTURES = join(ROOT, 'fixtures')
const DOCS = { examplesFile: join(ROOT, 'openapi/examples.json'), pageFolder: join(import.meta.dirname, 'docs') }

async function serve(config: Config): Promise<void> {
  const worlds = await createRuntime(config, FIXTURES)
  const app = buildApp({
    worlds,
    logger: pino({ level: config.LOG_LEVEL }),
    trustProxy: config.TRUST_PROXY,
    maxConnections: config.MAX_CONNECTIONS,
    billing: { namespace: config.BILLING_NAMESPACE },
    control: { loopback: true, worlds, version: '0.1.0' },
    docs: DOCS,
  })
  closeWithGrace({ delay: 10_000, logger: false }, async () => {
    await app.close()
    await worlds.close()
  })
  const address = await app.listen({ port: config.PORT, host: config.HOST })
  process.stdout.write(`vendor-cloud listens on ${address}\n`)
}

void existsSync
try {
  await serve(readConfig())
} catch (error) {
  const expected = error instanceof ConfigError || error instanceof FixtureError
  process.stderr.write(`${expected ? error.message : (error as Error).stack}\n`)
  process.exitCode = 1
}
