import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '../../src/server/config.ts'
import { startServer } from '../../src/server/server.ts'
import { recordCase, scenarios } from '../../test/tools/cases/record-scenarios.ts'

/** Writes test/tools/cases/*.jsonl: one case per document, and one from a world without a seed. */
const server = await startServer(readConfig({ PORT: '0' }))
const folder = join(import.meta.dirname, '../../test/tools/cases')
for (const [name, run] of Object.entries(scenarios)) {
  const plan = { name, seed: 'cases', now: '2026-05-04T12:00:00Z' }
  await writeFile(join(folder, `${name}.jsonl`), await recordCase(server.url, run, plan))
}
await writeFile(
  join(folder, 'random-world.jsonl'),
  await recordCase(
    server.url,
    async (url) => {
      for (const run of Object.values(scenarios)) await run(url)
    },
    { name: 'random-world' },
  ),
)
await server.close()
