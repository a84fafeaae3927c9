import { type TestAPI, test as base } from 'vitest'
import { createTestWorlds, type TestOptions, type WorldContext } from './test-worlds.ts'

export type { TestOptions, WorldContext }

/** Each worker uses one server, and each test uses its own world. */
export function createTest(options?: TestOptions): TestAPI<WorldContext> {
  const worlds = createTestWorlds(options)
  return base.extend<WorldContext & { server: undefined }>({
    // Vitest 3 keeps only one worker fixture per name, even from different `createTest` calls. This fixture therefore
    // only stops the server.
    server: [
      // Vitest reads from the destructuring pattern which fixtures are needed, so the pattern must stay.
      async ({}, use) => {
        await use(undefined)
        await worlds.stop()
      },
      { scope: 'worker' },
    ],
    world: async ({ server: _, task }, use) => {
      const { world, end } = await worlds.begin(task.name, [task.file.name, ...namesOf(task)])
      await use(world)
      // A test declared with `test.fails` is expected to fail.
      await end((task.result?.state === 'fail') !== (task.fails === true))
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
