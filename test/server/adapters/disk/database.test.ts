import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Database } from '../../../../src/server/adapters/disk/database.ts'
import { makeTemporaryFolder } from '../../../helpers/temporary-folder.ts'

test('closing completes earlier requests and rejects later ones', async () => {
  const database = new Database(join(makeTemporaryFolder(), 'a.db'))
  const read = () => database.read('SELECT 1 AS one')
  const earlier = Array.from({ length: 50 }, read)
  const closed = database.close()
  const later = Array.from({ length: 50 }, () => expect(read()).rejects.toThrow('it is closed'))
  expect(await Promise.all(earlier)).toEqual(Array(50).fill([{ one: 1 }]))
  await Promise.all(later)
  await closed
  await database.close()
})
