import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { posts, sendBody, sendEverywhere } from '../../helpers/bad-input.ts'
import { makeTestApp } from '../../helpers/build-test-app.ts'
import { operationTable } from '../../helpers/operation-table.ts'
import { requireFolder } from './programs.ts'

// `npm test` uses only the bodies in a package, which contain no invalid UTF-8. It sends each body to one operation.
const corpora = requireFolder(
  'VENDOR_CLOUD_CORPORA',
  'json-nst/ (test_parsing and test_transform of github.com/nst/JSONTestSuite) and blns/blns.json ' +
    '(github.com/minimaxir/big-list-of-naughty-strings)',
)
const bodies = ['json-nst/test_parsing', 'json-nst/test_transform'].flatMap((folder) =>
  readdirSync(join(corpora, folder)).map((file) => ({ file, bytes: readFileSync(join(corpora, folder, file)) })),
)
const naughty = JSON.parse(readFileSync(join(corpora, 'blns/blns.json'), 'utf8')) as string[]

const { app, close } = makeTestApp()
afterAll(close)

test('the corpora have at least the expected number of entries', () => {
  expect(bodies.length).toBeGreaterThan(300)
  expect(naughty.length).toBeGreaterThan(400)
})

test.each(posts)(
  'operation $operation responds to every body of the JSON test suite without a 5xx status',
  async (row) => {
    const wrong: string[] = []
    for (const body of bodies) wrong.push(...(await sendBody(app, row, body)))
    expect(wrong).toEqual([])
  },
)

test.each(operationTable)('operation $operation responds to every naughty string without a 5xx status', async (row) => {
  const wrong: string[] = []
  for (const value of naughty) wrong.push(...(await sendEverywhere(app, row, value)))
  expect(wrong).toEqual([])
})
