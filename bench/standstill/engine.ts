import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

interface Engine {
  settings: Record<string, string>
  remove(): Promise<void>
}

/** Each server starts with an empty engine. */
export async function openEngine(name: string): Promise<Engine> {
  const common = { RATE_LIMIT: '', DATA_DIR: '', DATABASE_URL: '' }
  if (name === 'postgres') return openDatabase(common)
  if (name !== 'sqlite') return { settings: common, remove: async () => {} }
  const folder = mkdtempSync(join(tmpdir(), 'standstill-'))
  return { settings: { ...common, DATA_DIR: folder }, remove: async () => rmSync(folder, { recursive: true }) }
}

/** Creates a new database, because a server would otherwise find the data of the previous one. */
async function openDatabase(common: Engine['settings']): Promise<Engine> {
  const url = new URL(process.env['DATABASE_URL']!)
  const name = `standstill_${Date.now()}`
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: String(url) })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  await run(`create database ${name}`)
  const own = Object.assign(new URL(url), { pathname: `/${name}` })
  return { settings: { ...common, DATABASE_URL: String(own) }, remove: () => run(`drop database ${name} with (force)`) }
}
