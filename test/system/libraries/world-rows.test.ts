import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeWorldRows } from '../../../scripts/writers/world-rows.ts'

test('the page of test runners lists every world method (to update, run `npm run docs`)', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/test-runners.md'), 'utf8')
  expect(page.split('\n')).toEqual(expect.arrayContaining(await writeWorldRows()))
})
