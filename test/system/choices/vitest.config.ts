import { defineConfig } from 'vitest/config'
import common from '../../../vitest.config.ts'
import { choiceValues } from './choice-values.ts'

/**
 * Test suites for the documents, which must pass with any choice. These suites cover more in less time than all others.
 */
const include = [
  'support/{feedback,identity,missed-requests,schedules,symptoms,zip-codes}',
  'support/dealer/{customers,stores,ticket-creation,tickets}',
  'support/in-store/{cancellations,creation,detail,slots}',
  'wallet/device-availability',
  'billing/service-tokens',
  'events/{subscriptions,one-stream}',
].map((files) => `test/server/${files}.test.ts`)

const { globalSetup: _, include: __, exclude: ___, ...shared } = common.test!

/**
 * Runs the suites once for each value of each choice, except for the default value. With CHOICE, runs only those whose
 * name starts with it. Tests in `expected-failures.json` expect the default, so they must fail. All other tests must
 * pass.
 */
const chosen = choiceValues.filter(({ name }) => name.startsWith(process.env['CHOICE'] ?? ''))

// biome-ignore lint/style/noDefaultExport: vitest requires a default export
export default defineConfig({
  ...common,
  test: {
    ...shared,
    projects: chosen.map(({ name, choices }) => ({
      extends: true,
      test: {
        name,
        include,
        setupFiles: ['test/system/choices/expected-failures.ts'],
        env: { TEST_CHOICES: JSON.stringify(choices), CHOICE: name },
      },
    })),
  },
})
