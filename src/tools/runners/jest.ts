import { basename } from 'node:path'
import { afterAll, expect, test as base } from '@jest/globals'
import { createTestWorlds, type TestOptions, type WorldContext } from './test-worlds.ts'

export type { TestOptions, WorldContext }

/** Declares a test: its name, what it does with its world, and its milliseconds. */
export type DeclareTest = (name: string, run: (context: WorldContext) => unknown, timeout?: number) => void

/** Jest's `test` with a world a test. */
export interface WorldTest extends DeclareTest {
  /** This one alone. */
  only: DeclareTest
  /** Not this one. */
  skip: DeclareTest
}

/** Jest's `test` with a world a test, of one server a file. */
export function createTest(options?: TestOptions): WorldTest {
  const worlds = createTestWorlds(options)
  afterAll(() => worlds.stop())
  const declareWith =
    (declare: (name: string, run: () => Promise<void>, timeout?: number) => void): DeclareTest =>
    (name, run, timeout) =>
      declare(
        name,
        async () => {
          const world = await worlds.begin(name)
          const { testPath = '', currentTestName = name } = expect.getState()
          let failed: string[] | undefined = [basename(testPath), currentTestName]
          try {
            await run({ world })
            failed = undefined
          } finally {
            await worlds.end(world, failed)
          }
        },
        timeout,
      )
  return Object.assign(declareWith(base), { only: declareWith(base.only), skip: declareWith(base.skip) })
}

/** With the server's defaults. */
export const test: WorldTest = createTest()
