import { join } from 'node:path'
import process from 'node:process'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../../src/commands/run.ts'
import { type CheckReport, examine, type ExaminationReport } from '../../src/examine/examination.ts'
import type { JournalEntry } from '../../src/client/world.ts'
import { Seen } from '../../src/examine/check.ts'
import { always, listChecks, scenarios } from '../../src/examine/book/contents.ts'
import { RETRY } from '../../src/examine/book/events.ts'
import { startVendorCloud, type VendorCloud } from '../../src/index.ts'
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts'
import { launchTestClient } from './clients.ts'

let server: VendorCloud
beforeAll(async () => {
  server = await startVendorCloud({ settings: { HEARTBEAT_SECONDS: '0.5' } })
})
afterAll(() => server.stop())

function run(names: readonly string[], flaw: string): Promise<ExaminationReport> {
  return examine({
    scenarios: scenarios.filter(({ name }) => names.includes(name)),
    always,
    seed: 'matrix',
    patience: 5000,
    open: (name, seed) => server.world({ name: `${name}-${worlds++}`, seed, streamRetryMs: RETRY }),
    launch: (environment) => launchTestClient(environment, flaw),
  })
}
let worlds = 0

const failed = ({ checks }: ExaminationReport) =>
  checks.filter(({ verdict }) => verdict === 'failed').map(({ name }) => name)
const checks = listChecks()

test('the book has at least 60 checks, each of a name of its own, and each says where it comes from', () => {
  expect(checks.length).toBeGreaterThanOrEqual(60)
  expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length)
  for (const { source } of checks)
    expect(source).toMatch(/^(?:document [123], |RFC \d+|HTML Standard|SOAP 1\.1|XML 1\.0|Namespaces|our choice)/)
})

test('the reference clients as built, examined as programs, meet every check and pass it: grade A', async () => {
  const program = join(makeTemporaryFolder(), 'examined-client.mjs')
  const project = join(import.meta.dirname, '../..')
  await build({
    entryPoints: [join(project, 'examples/examined-client.ts')],
    alias: { 'vendor-cloud/clients': join(project, 'dist/clients/clients.js') },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile: program,
  })
  // Two runs, which wait beside each other.
  const reports = await Promise.all(
    ['support,wallet', 'events,billing'].map(async (documents) => {
      let written = ''
      const output = { stdout: { write: (text: string) => (written += text) }, stderr: { write: () => true } }
      const words = ['--only', documents, '--seed', 'matrix', '--timeout', '20', '--format', 'json']
      const code = await runCommand(['examine', ...words, '--', process.execPath, program], output)
      return { code, ...(JSON.parse(written) as ExaminationReport) }
    }),
  )
  const wrong = reports.flatMap(({ checks: met }) => met.filter(({ verdict }) => verdict !== 'passed'))
  expect(wrong.map(toWords).join('\n')).toBe('')
  expect(reports.flatMap((report) => report.checks).length).toBe(checks.length)
  expect(reports.flatMap((report) => report.scenarios).filter(({ trouble }) => trouble)).toEqual([])
  for (const { grade, code } of reports) expect([grade, code]).toEqual(['A', 0])
})

test.each([
  ['sse-line-ends', ['passed', 'passed', 'failed']],
  ['sse-bom', ['passed', 'failed', 'failed']],
] as const)('with %s a client may wait for the LF behind a CR: the last id or the one before', (kind, verdicts) => {
  const at = '2026-05-06T16:00:00.000Z'
  const open = (id: number, headers: Record<string, string>) =>
    ({
      id,
      at,
      kind: 'request',
      operation: 'stream',
      method: 'GET',
      request: { headers },
      variation: [kind],
    }) satisfies JournalEntry
  const frame = (id: number) =>
    ({
      id,
      at,
      kind: 'frame',
      frame: { subscriptionId: 's', event: 'DEVICE_EVENT', id: `1-${id}`, data: {} },
    }) satisfies JournalEntry
  const check = checks.find(({ name }) => name === `events-takes-${kind}`)!
  const judge = (shown: string) => {
    const entries: JournalEntry[] = [open(1, {}), frame(2), frame(3), frame(4), open(5, { 'last-event-id': shown })]
    const verdict = check.judge(new Seen(entries, new Map([['disturbed', 4]])))
    return typeof verdict === 'string' ? verdict : 'failed'
  }
  expect(['1-4', '1-3', '1-2'].map(judge)).toEqual(verdicts)
})

/** Where a check on everything is met. */
const places: Readonly<Record<string, string>> = {
  support: 'support-book',
  events: 'events-reset',
  wallet: 'wallet-away',
  billing: 'billing-follow',
}

test.concurrent.each(
  checks.map(({ name, document, scenario }) => [name, scenario ?? places[name] ?? places[document]!] as const),
)('a client that is wrong by %s alone fails by it alone', async (name, scenario) => {
  const report = await run([scenario], name)
  expect(
    failed(report),
    report.checks
      .filter(({ verdict }) => verdict === 'failed')
      .map(toWords)
      .join('\n'),
  ).toEqual([name])
})

test('a client that hangs is told so', async () => {
  const report = await examine({
    scenarios: scenarios.filter(({ name }) => name === 'wallet-away'),
    always,
    seed: 'matrix',
    patience: 300,
    open: (name, seed) => server.world({ name: `${name}-${worlds++}`, seed }),
    launch: ({ VENDOR_CLOUD_URL: url }) => {
      void fetch(`${url}/wallet`)
      return { ended: new Promise(() => {}), stop: async () => true }
    },
  })
  expect(report.scenarios[0]!.trouble).toBe('the client hangs: waited in vain for operation checkAvailability')
})

function toWords({ name, verdict, scenario, trouble, evidence }: CheckReport): string {
  const wire = evidence.map(
    ({ method, path, query, status, why }) => `${method} ${path}?${query} ${status} ${why?.message ?? ''}`,
  )
  return `${name}: ${verdict} in ${scenario}: ${trouble ?? ''} ${wire.join('; ')}`
}
