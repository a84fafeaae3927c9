import { type TestType, test as base } from '@playwright/test'
import { createTestWorlds, type TestOptions, type WorldContext } from './test-worlds.ts'

export type { TestOptions }

export type WorldFixtures = WorldContext

type Base<T> = T extends TestType<infer Test, infer Worker> ? TestType<Test & WorldFixtures, Worker> : never

/** Each worker uses one server, and each test uses its own world. */
export function createTest(options?: TestOptions): Base<typeof base> {
  return base.extend<WorldFixtures, { worlds: ReturnType<typeof createTestWorlds> }>({
    worlds: [
      // Playwright reads from the destructuring pattern which fixtures are needed, so the pattern must stay.
      async ({}, use) => {
        const worlds = createTestWorlds(options)
        await use(worlds)
        await worlds.stop()
      },
      { scope: 'worker' },
    ],
    world: async ({ worlds }, use, info) => {
      // The test after a failure runs in another worker, which does not know which names are in use.
      const id = `-${info.testId.slice(-6)}${info.retry > 0 ? `-retry-${info.retry}` : ''}`
      const { world, end } = await worlds.begin(info.title, info.titlePath, id)
      await use(world)
      const told = await end(info.status !== info.expectedStatus)
      if (told !== undefined) await info.attach('journal', { body: told, contentType: 'text/plain' })
    },
  })
}

export const test: ReturnType<typeof createTest> = createTest()
