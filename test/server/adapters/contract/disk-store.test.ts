import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDiskEngine } from '../../../../src/server/adapters/disk/engine.ts'
import { nodeDigests } from '../../../../src/server/adapters/node/digests.ts'
import { openStoredFixtures } from '../../../../src/server/seed/stored-fixtures.ts'
import { describeStore } from './store.contract.ts'

describeStore('disk store', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-store-'))
  const engine = await createDiskEngine(folder, nodeDigests, openStoredFixtures)
  const record = { plan: { name: 'default' }, seed: undefined, createdAt: 0, clock: { offsetMs: 0 } }
  const { store } = (await engine.create(record, { records: new Map(), blobs: [] }))!
  return {
    ...store,
    async close() {
      await store.close()
      await engine.close()
      rmSync(folder, { recursive: true })
    },
  }
})
