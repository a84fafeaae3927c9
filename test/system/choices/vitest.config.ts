import { defineConfig } from 'vitest/config'
import common from '../../../vitest.config.ts'
import { choiceValues } from './choice-values.ts'

/** Suites of the documents that hold in a vendor of any choice: those that say most in little time. */
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
 * Runs once with each other value of each choice, or with those whose name starts with CHOICE. Tests in `expected-failures.json`
 * expect the default: one that passes is a failure, as is any other that fails.
 */
const chosen = choiceValues.filter(({ name }) => name.startsWith(process.env['CHOICE'] ?? ''))

// biome-ignore lint/style/noDefaultExport: vitest asks for one
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
