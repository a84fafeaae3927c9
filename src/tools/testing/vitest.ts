import { type TestAPI, test as base } from 'vitest'
import { createTestWorlds, type TestOptions, type WorldContext } from './test-worlds.ts'

export type { TestOptions, WorldContext }

/** Each worker has one server, and each test its own world. */
export function createTest(options?: TestOptions): TestAPI<WorldContext> {
  return base.extend<WorldContext & { worlds: ReturnType<typeof createTestWorlds> }>({
    worlds: [
      // Vitest reads from the pattern which fixtures a fixture needs.
      async ({}, use) => {
        const worlds = createTestWorlds(options)
        await use(worlds)
        await worlds.stop()
      },
      { scope: 'worker' },
    ],
    world: async ({ worlds, task }, use) => {
      const world = await worlds.begin(task.name)
      await use(world)
      // A test of `test.fails` is as expected where it fails.
      const hasFailed = (task.result?.state === 'fail') !== (task.fails === true)
      await worlds.end(world, hasFailed ? [task.file.name, ...namesOf(task)] : undefined)
    },
  })
}

export const test: TestAPI<WorldContext> = createTest()

interface Named {
  name: string
  suite?: Named | undefined
}

function namesOf({ name, suite }: Named): string[] {
  return [...(suite ? namesOf(suite) : []), name]
}
