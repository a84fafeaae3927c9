import { expect, test } from 'vitest'
import { startVendorCloud } from '../../../src/index.ts'
import { toolNames } from '../../../src/tools/mcp/context.ts'
import { connectAgent, overHttp } from '../../helpers/mcp-client.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { walk, walkThrough } from './tools-walk.ts'

test.each([
  ['in memory', {}],
  ['on disk', { DATA_DIR: 'data' }],
])('every tool works over HTTP with worlds %s', async (_, given) => {
  const settings = 'DATA_DIR' in given ? { DATA_DIR: makeTemporaryFolder() } : {}
  const cloud = await startVendorCloud({ settings })
  try {
    const { answered, wanted } = await walkThrough(await connectAgent(overHttp(cloud.url)))
    expect(answered).toMatchObject(wanted)
  } finally {
    await cloud.stop()
  }
})

test('the calls of this test use every tool', () => {
  expect(toolNames.filter((name) => !walk.some(([tool]) => tool === name))).toEqual([])
})
