import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../../src/server/config.ts'
import { FIXTURES } from '../../../src/server/package-files.ts'
import { createRuntime } from '../../../src/server/runtime.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

test('a start with settings that the stored world ignores reports them and the remedy', async () => {
  const DATA_DIR = join(makeTemporaryFolder(), 'data')
  const start = async (settings: Record<string, string>, reset = false) => {
    const lines: string[] = []
    const worlds = await createRuntime(readConfig({ DATA_DIR, ...settings }), FIXTURES, (line) => lines.push(line))
    if (reset) await worlds.reset('default')
    await worlds.close()
    return lines
  }
  const keeps = 'the stored world default keeps the'
  const reset = 'it was created with. To change this, run npx --no vendor-cloud reset'
  expect(await start({ SEED: 'a' })).toEqual([])
  expect(await start({ SEED: 'a' })).toEqual([])
  expect(await start({})).toEqual([])
  expect(await start({ SEED: 'b', PROFILE: 'strict' })).toEqual([
    `${keeps} SEED and PROFILE it was created with. To change this, use a new DATA_DIR or an empty database`,
  ])
  const custom = { FIXTURES: makeTemporaryFolder(), PROFILE: 'strict' }
  expect(await start(custom, true)).toEqual([`${keeps} FIXTURES and PROFILE ${reset}`])
  expect(await start(custom)).toEqual([])
  expect(await start({})).toEqual([`${keeps} FIXTURES ${reset}`])
})
