import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** They start processes, or read for long; the longest stand first. */
const LONG = [
  'tools/examine/',
  'system/reliability/',
  'cli/examine',
  'system/acceptance/',
  'tools/cases/',
  'system/durable/',
  'server/http/variation',
  'server/control/scenarios',
  'library.test',
  'pages.test',
  'server/support/status-',
  'scripts/build/start',
]

/** Long files begin first, so that no worker is left alone with one at the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((each) => moduleId.includes(`/test/${each}`))
      return place < 0 ? LONG.length : place
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  resolve: { alias: { 'vendor-cloud/clients': join(import.meta.dirname, 'src/tools/reference-clients/clients.ts') } },
  test: {
    include: ['test/**/*.test.ts'],
    // These need PostgreSQL, or Docker: `npm run test:services` and test/system/image/compose.sh start them.
    // These need other languages, or a browser: `npm run test:clients`, `npm run test:console`.
    // These need other programs, or what lies elsewhere, or pack and install: `npm run test:tools`.
    // These measure memory, and go back to every step: `npm run test:endurance`.
    // This examines a client for every check: `npm run test:grades`.
    exclude: [
      ...['services', 'image', 'clients', 'console', 'programs', 'package', 'endurance'].map(
        (folder) => `test/system/${folder}/**`,
      ),
      'test/tools/examine/matrix.test.ts',
    ],
    globalSetup: 'test/helpers/build.ts',
    sequence: { sequencer: LongFirst },
    // More workers than this gain nothing on two cores and cost memory. Files of a worker share the modules that they
    // import, which halves the time of the run: no module of ours keeps state between worlds.
    maxWorkers: 2,
    isolate: false,
    // Far more than any needs: a machine that has much else to do makes no test fail.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { interval: 20, timeout: 60_000 } },
    // A test that passes only now and then is a defect, so nothing is tried twice.
    retry: 0,
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reporter: ['text-summary', 'html'] },
  },
})
