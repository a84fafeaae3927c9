/**
 * Measures the cost of a world on disk: time and bytes for creating a world with fixtures and for forking one, 200 of
 * each in parallel. Also measures the size of the file and its log of up to 16 MB after all worlds are deleted. Limits:
 * a few milliseconds and KB per world, and only that log in the end. With the DATABASE_URL of an empty database,
 * measures PostgreSQL. Run: npx tsx bench/stored-worlds.ts
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import pg from 'pg'
import { readConfig } from '../src/server/config.ts'
import { createRuntime } from '../src/server/runtime.ts'
import { print, report } from './harness/side-by-side.ts'

const WORLDS = Number(process.env['WORLDS'] ?? 200)
const { DATABASE_URL } = process.env
const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-bench-'))
try {
  await measure('SQLite', { DATA_DIR: folder }, sizeOfFolder)
  if (DATABASE_URL) await measure('PostgreSQL', { DATABASE_URL }, () => sizeOfDatabase(DATABASE_URL))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measure(engine: string, settings: Record<string, string>, size: () => number | Promise<number>) {
  const worlds = await createRuntime(readConfig(settings), join(import.meta.dirname, '../fixtures'))
  await worlds.create({ name: 'first' })
  const before = await size()
  for (const [what, from] of [
    ['a world', undefined],
    ['a fork', 'first'],
  ] as const) {
    const names = Array.from({ length: WORLDS }, (_, i) => `w${i}`)
    const emptied = await size()
    const started = performance.now()
    await Promise.all(names.map((name) => worlds.create({ name, from })))
    const each = (performance.now() - started) / WORLDS
    const kilobytes = ((await size()) - emptied) / WORLDS / 1024
    report(
      `${engine}: ${what}, ${WORLDS} at once`,
      `${each.toFixed(1)} ms, ${kilobytes.toFixed(1)} KB`,
      'a few of both',
    )
    const ending = performance.now()
    await Promise.all(names.map((name) => worlds.delete(name)))
    print(`${engine}: its end ${((performance.now() - ending) / WORLDS).toFixed(1)} ms`)
  }
  await worlds.create({ name: 'last' })
  await worlds.delete('last')
  await new Promise((resolve) => setTimeout(resolve, 2000))
  report(`${engine}: what is kept when all are gone, MB`, (((await size()) - before) / 2 ** 20).toFixed(1), 17)
  await worlds.close()
}

function sizeOfFolder(): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

async function sizeOfDatabase(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ size: string }>('SELECT pg_database_size(current_database()) AS size')
  await client.end()
  return Number(rows[0]!.size)
}
