import { join } from 'node:path'
import process from 'node:process'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../../../src/cli/run.ts'
import type { ExaminationReport } from '../../../src/tools/examine/examination.ts'
import { listChecks } from '../../../src/tools/examine/scenarios/contents.ts'
import { startVendorCloud, type VendorCloud } from '../../../src/index.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { expectToFailAlone, findWrong } from './clients.ts'
import { toText } from './run.ts'

let server: VendorCloud
beforeAll(async () => {
  server = await startVendorCloud({ settings: { HEARTBEAT_SECONDS: '0.5' } })
})
afterAll(() => server.stop())

const checks = listChecks()
const seeds = process.env['EXAMINED_SEEDS']!.split(',')

const project = join(import.meta.dirname, '../../..')

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

async function examineProgram(program: string, seed: string) {
  let written = ''
  const output = { stdout: { write: (text: string) => (written += text) }, stderr: { write: () => true } }
  const words = [`--seed=${seed}`, '--timeout', '20', '--format', 'json']
  const code = await runCommand(['examine', ...words, '--', process.execPath, program], output)
  return { code, ...(JSON.parse(written) as ExaminationReport) }
}

const right: Readonly<Record<string, () => Promise<string>>> = {
  'the built reference clients': bundleReferenceClients,
  'a client written only from the page and the documents': async () => join(import.meta.dirname, 'page-client.mjs'),
}

test.each(Object.keys(right).flatMap((name) => seeds.map((seed) => [name, seed] as const)))(
  'this program passes every check and gets grade A: %s (seed %s)',
  async (name, seed) => {
    const program = await right[name]!()
    const { code, grade, checks: told, scenarios } = await examineProgram(program, seed)
    expect(findWrong(told).map(toText).join('\n')).toBe('')
    expect(told.length).toBe(checks.length)
    expect(scenarios.filter(({ problem }) => problem)).toEqual([])
    expect([grade, code]).toEqual(['A', 0])
  },
)

test.concurrent.each(checks.flatMap((check) => seeds.map((seed) => [check.name, seed, check] as const)))(
  'a client with only the flaw %s fails only that check (seed %s)',
  async (_, seed, check) => expectToFailAlone(server, check, seed),
)
