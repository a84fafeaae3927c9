import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { crashAgainAndAgain } from './crash.ts'

test('acknowledged writes survive kill -9 under 16 writers, and none is partial', async () => {
  const { acknowledged, images } = await crashAgainAndAgain(makeTemporaryFolder(), 2, 16)
  expect(acknowledged).toBeGreaterThan(50)
  expect(images).toBeGreaterThan(0)
})
