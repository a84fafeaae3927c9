import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Slow test files, slowest first. */
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

/** Starts slow files first, so that no worker ends with one. */
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
    // `.ci/run` runs these files with separate commands, which are described in CONTRIBUTING.md.
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
    // On two cores, more workers are not faster but need more memory. The files of a worker share imported modules,
    // which halves the total time. This is safe, because no module has state that worlds share.
    maxWorkers: 2,
    isolate: false,
    // Much longer than any test needs, so that no test fails on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { interval: 20, timeout: 60_000 } },
    // A test that passes only sometimes has a defect, so tests are not retried.
    retry: 0,
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reporter: ['text-summary', 'html'] },
  },
})
