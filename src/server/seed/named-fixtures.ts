import { existsSync } from 'node:fs'
import { FixtureError, type Fixtures } from './fixtures.ts'
import { enlargeFixtures } from './large-fixtures.ts'
import { type OwnFixturesContext, readOwnFixtures } from './own-fixtures.ts'

/** A name stands for shipped fixtures, and a path with a slash for a folder. Throws a FixtureError. */
export async function openNamedFixtures(name: string, context: OwnFixturesContext): Promise<Fixtures> {
  if (name === 'default') return context.builtIn
  if (name === 'large') return enlargeFixtures(context.builtIn)
  if (/[\\/]/.test(name)) return readOwnFixtures(name, context)
  const folder = existsSync(name) ? `; the folder is ./${name}` : ''
  throw new FixtureError(`no fixtures are named ${name}: default and large ship, a folder has a slash${folder}`)
}
