import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SNAPSHOT_VERSION } from '../../../src/contract/records/snapshot.ts'
import { readConfig } from '../../../src/server/config.ts'
import { FIXTURES } from '../../../src/server/package-files.ts'
import { createRuntime } from '../../../src/server/runtime.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const SNAPSHOT_IS_UNAPPLIED =
  'the world default was already stored, so SNAPSHOT was not applied. To apply it, run npx --no vendor-cloud reset, ' +
  'which deletes the changes of the world'

test('a start with SNAPSHOT reports that it was not applied when the world was stored', async () => {
  const folder = makeTemporaryFolder()
  const SNAPSHOT = join(folder, 'world.ndjson')
  writeFileSync(SNAPSHOT, `{"clock":{"offsetMs":0},"schemaVersion":${SNAPSHOT_VERSION}}\n{"end":true}\n`)
  const start = async () => {
    const lines: string[] = []
    const config = readConfig({ DATA_DIR: join(folder, 'data'), SNAPSHOT })
    await (await createRuntime(config, FIXTURES, (line) => lines.push(line))).close()
    return lines
  }
  expect(await start()).toEqual([])
  expect(await start()).toEqual([SNAPSHOT_IS_UNAPPLIED])
})

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
  const reset =
    'it was created with. To change this, run npx --no vendor-cloud reset, which deletes the changes of the world'
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

test('a start does not report FIXTURES when the stored world was restored from a snapshot', async () => {
  const DATA_DIR = join(makeTemporaryFolder(), 'data')
  const lines: string[] = []
  const start = (settings: Record<string, string>) =>
    createRuntime(readConfig({ DATA_DIR, ...settings }), FIXTURES, (line) => lines.push(line))
  const worlds = await start({ FIXTURES: makeTemporaryFolder() })
  const snapshot = {
    schemaVersion: SNAPSHOT_VERSION,
    clock: { offsetMs: 0 },
    faults: [],
    records: {},
    blobs: new Map(),
  }
  await worlds.restore('default', snapshot)
  await worlds.close()
  await (await start({})).close()
  expect(lines).toEqual([])
})
