import { relative } from 'node:path'
import process from 'node:process'
import { afterAll, expect, test as base } from '@jest/globals'
import { createTestWorlds, type TestOptions, type WorldContext } from './test-worlds.ts'

export type { TestOptions, WorldContext }

export type DeclareTest = (name: string, run: (context: WorldContext) => unknown, timeout?: number) => void

export interface WorldTest extends DeclareTest {
  /** Runs only this test of the file. */
  only: DeclareTest
  /** Reports this test as skipped. */
  skip: DeclareTest
}

/** Each test file uses one server, and each test uses its own world. */
export function createTest(options?: TestOptions): WorldTest {
  const worlds = createTestWorlds(options)
  afterAll(() => worlds.stop())
  const declareWith =
    (declare: (name: string, run: () => Promise<void>, timeout?: number) => void): DeclareTest =>
    (name, run, timeout) =>
      declare(
        name,
        async () => {
          const { testPath = '', currentTestName = name } = expect.getState()
          const { world, end } = await worlds.begin(name, [relative(process.cwd(), testPath), currentTestName])
          let hasFailed = true
          try {
            await run({ world })
            hasFailed = false
          } finally {
            await end(hasFailed)
          }
        },
        timeout,
      )
  return Object.assign(declareWith(base), { only: declareWith(base.only), skip: declareWith(base.skip) })
}

export const test: WorldTest = createTest()
