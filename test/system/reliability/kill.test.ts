import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { crashAgainAndAgain } from './crash.ts'

test('writes acknowledged by 16 parallel writers survive kill -9, and no write is stored partially', async () => {
  const { acknowledged, images } = await crashAgainAndAgain(makeTemporaryFolder(), 2, 16)
  expect(acknowledged).toBeGreaterThan(50)
  expect(images).toBeGreaterThan(0)
})
