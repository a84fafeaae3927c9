import { type TestAPI, test as base } from 'vitest'
import type { VendorCloudWorld } from '../index.ts'
import { createTestWorlds, type TestOptions } from './test-worlds.ts'

export type { TestOptions }

/** What a test is given. */
export interface WorldContext {
  /** A world of the test's own; its journal is printed and its case saved when the test fails. */
  world: VendorCloudWorld
}

/** Vitest's `test` with a world a test, of one server a worker. */
export function createTest(options?: TestOptions): TestAPI<WorldContext> {
  return base.extend<WorldContext & { worlds: ReturnType<typeof createTestWorlds> }>({
    worlds: [
      // Vitest reads from the pattern which fixtures one needs.
      async ({}, use) => {
        const worlds = createTestWorlds(options)
        await use(worlds)
        await worlds.stop()
      },
      { scope: 'worker' },
    ],
    world: async ({ worlds, task }, use) => {
      const world = await worlds.begin()
      await use(world)
      await worlds.end(world, task.result?.state === 'fail' ? [task.file.name, ...namesOf(task)] : undefined)
    },
  })
}

/** With the server's defaults. */
export const test: TestAPI<WorldContext> = createTest()

interface Named {
  name: string
  suite?: Named | undefined
}

function namesOf({ name, suite }: Named): string[] {
  return [...(suite ? namesOf(suite) : []), name]
}
