import { join } from 'node:path'
import process from 'node:process'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../../../src/cli/run.ts'
import type { ExaminationReport } from '../../../src/tools/examine/examination.ts'
import type { JournalEntry } from '../../../src/tools/client/types.ts'
import type { Environment } from '../../../src/tools/examine/check.ts'
import { Transcript } from '../../../src/tools/examine/transcript.ts'
import { listChecks } from '../../../src/tools/examine/scenarios/contents.ts'
import { startVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { launchTestClient } from './clients.ts'
import { playScenario, toWords } from './run.ts'

let server: VendorCloud
beforeAll(async () => {
  server = await startVendorCloud({ settings: { HEARTBEAT_SECONDS: '0.5' } })
})
afterAll(() => server.stop())

const failed = ({ checks }: ExaminationReport) =>
  checks.filter(({ verdict }) => verdict === 'failed').map(({ name }) => name)
const checks = listChecks()
/** One for `npm test`; ten for `npm run test:grades`. */
const seeds = (process.env['EXAMINED_SEEDS'] ?? 'matrix').split(',')

test('the book has at least 60 checks, each of a name of its own, and each says where it comes from', () => {
  expect(checks.length).toBeGreaterThanOrEqual(60)
  expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length)
  for (const { source } of checks)
    expect(source).toMatch(/^(?:document [123], |RFC \d+|HTML Standard|SOAP 1\.1|XML 1\.0|Namespaces|our choice)/)
})

const project = join(import.meta.dirname, '../../..')

/** As they were built, in one file. */
async function bundleReferenceClients(): Promise<string> {
  const program = join(makeTemporaryFolder(), 'examined-client.mjs')
  await build({
    entryPoints: [join(project, 'examples/clients/typescript/examined-client.ts')],
    alias: { 'vendor-cloud/clients': join(project, 'dist/clients/clients.js') },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile: program,
  })
  return program
}

/** By the command, as a program. */
async function examineProgram(program: string, documents: string, seed: string) {
  let written = ''
  const output = { stdout: { write: (text: string) => (written += text) }, stderr: { write: () => true } }
  const words = ['--only', documents, `--seed=${seed}`, '--timeout', '20', '--format', 'json']
  const code = await runCommand(['examine', ...words, '--', process.execPath, program], output)
  return { code, ...(JSON.parse(written) as ExaminationReport) }
}

/** It passes or fails, and never shows that it is kept. */
const SILENT = ['keeps-access-to-the-end']

const right: Readonly<Record<string, () => Promise<string>>> = {
  'the reference clients as built': bundleReferenceClients,
  'a client written by the page and the documents alone': async () => join(import.meta.dirname, 'page-client.mjs'),
}

test.each(Object.keys(right).flatMap((name) => seeds.map((seed) => [name, seed] as const)))(
  '%s, examined as programs, meet every check and pass it: grade A (seed %s)',
  async (name, seed) => {
    const program = await right[name]!()
    // Two runs, which wait beside each other.
    const parts = ['support,wallet', 'events,billing']
    const reports = await Promise.all(parts.map((documents) => examineProgram(program, documents, seed)))
    const told = reports.flatMap((report) => report.checks)
    const wrong = told.filter((check) => check.verdict !== (SILENT.includes(check.name) ? 'not met' : 'passed'))
    expect(wrong.map(toWords).join('\n')).toBe('')
    expect(told.length).toBe(checks.length)
    expect(reports.flatMap((report) => report.scenarios).filter(({ trouble }) => trouble)).toEqual([])
    for (const { grade, code } of reports) expect([grade, code]).toEqual(['A', 0])
  },
)

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
    const verdict = check.judge(new Transcript(entries, new Map([['disturbed', 4]])))
    return typeof verdict === 'string' ? verdict : 'failed'
  }
  expect(['1-4', '1-3', '1-2'].map(judge)).toEqual(verdicts)
})

/** Where a check on everything is met; where nothing is refused by the script, if need be. */
const places: Readonly<Record<string, string>> = {
  'sends-exact-parameters': 'wallet-json-order',
  support: 'support-book',
  events: 'events-reset',
  wallet: 'wallet-away',
  billing: 'billing-follow',
}

test.concurrent.each(
  checks.flatMap(({ name, document, scenario }) =>
    seeds.map((seed) => [name, seed, scenario ?? places[name] ?? places[document]!] as const),
  ),
)('a client that is wrong by %s alone fails by it alone (seed %s)', async (name, seed, scenario) => {
  const report = await playScenario(server, scenario, (given) => launchTestClient(given, name), { seed })
  expect(
    failed(report),
    report.checks
      .filter(({ verdict }) => verdict === 'failed')
      .map(toWords)
      .join('\n'),
  ).toEqual([name])
  for (const { evidence } of report.checks.filter(({ verdict }) => verdict === 'failed'))
    expect(evidence).not.toEqual([])
})

test('a client that hangs is told so', async () => {
  const launch = ({ VENDOR_CLOUD_URL: url }: Environment) => {
    void fetch(`${url}/wallet`)
    return { ended: new Promise<never>(() => {}), stop: async () => true }
  }
  const report = await playScenario(server, 'wallet-away', launch, { patience: 300 })
  expect(report.scenarios[0]!.trouble).toBe('the client hangs: waited in vain for operation checkAvailability')
})
