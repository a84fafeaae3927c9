import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../../src/server/config.ts'
import { setVariation } from '../../../src/server/control/variation.ts'
import { takeSnapshot } from '../../../src/server/control/snapshots.ts'
import { FIXTURES } from '../../../src/server/package-files.ts'
import { createRuntime } from '../../../src/server/runtime.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

test('a manually set variation is stored with its world, but not in snapshots and forks', async () => {
  const config = readConfig({}, { DATA_DIR: join(makeTemporaryFolder(), 'data') })
  const open = () => createRuntime(config, FIXTURES)
  let worlds = await open()
  const ports = worlds.find('default')!
  await setVariation(ports, { kinds: ['json-order'] })
  const { records } = await takeSnapshot(ports)
  expect(records['settings']!.map(({ name }) => name)).toEqual(['secret'])
  const fork = await worlds.create({ name: 'fork', from: 'default' })
  expect(fork!.variations.read()).toBeUndefined()
  await worlds.close()

  worlds = await open()
  expect(worlds.find('default')!.variations.read()).toMatchObject({ kinds: ['json-order'] })
  expect(worlds.find('fork')!.variations.read()).toBeUndefined()
  expect((await worlds.reset('default')).variations.read()).toBeUndefined()
  await worlds.close()
})
