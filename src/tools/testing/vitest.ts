import { type TestAPI, test as base } from 'vitest'
import { createTestWorlds, type TestOptions, type WorldContext } from './test-worlds.ts'

export type { TestOptions, WorldContext }

/** Each worker has one server, and each test its own world. */
export function createTest(options?: TestOptions): TestAPI<WorldContext> {
  const worlds = createTestWorlds(options)
  return base.extend<WorldContext & { server: undefined }>({
    // Vitest 3 gives a worker one fixture of a name, whichever `createTest` it is of, so this one only ends the server.
    server: [
      // Vitest reads from the pattern which fixtures a fixture needs.
      async ({}, use) => {
        await use(undefined)
        await worlds.stop()
      },
      { scope: 'worker' },
    ],
    world: async ({ server: _, task }, use) => {
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
