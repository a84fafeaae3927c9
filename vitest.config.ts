import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** They start processes, or read for long; the longest stand first. */
const LONG = [
  'cli/mcp/agent',
  'tools/examine/',
  'cli/compare',
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
    // Each of these has a command of its own, which `.ci/run` calls: CONTRIBUTING.md says what it needs.
    exclude: [
      // test:services, and test/system/image/compose.sh
      'test/system/{services,image}/**',
      // test:clients, test:console
      'test/system/{clients,console}/**',
      // test:tools, test:package
      'test/system/{programs,libraries,pact,workflows,package}/**',
      // test:endurance
      'test/system/{endurance,reliability}/**',
      'test/tools/cases/shrink.test.ts',
      // test:grades
      'test/cli/examine/**',
      'test/tools/examine/{matrix,probes}.test.ts',
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
