import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { FAILING, type Runner, runners, writeProject } from './environments.ts'

const run = promisify(execFile)
const BINARY = `node-${process.platform}-${process.arch}`
let root: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'vendor-cloud-runners-'))
})
afterAll(() => rmSync(root, { recursive: true }))

/** Jest and Vitest use the same report format. */
interface Report {
  testResults: readonly {
    name: string
    message: string
    assertionResults: readonly { title: string; status: string; failureMessages: readonly string[] | null }[]
  }[]
}

async function install(folder: string, { packages, node }: Runner): Promise<void> {
  writeFileSync(join(folder, 'package.json'), '{"private": true}')
  const all = [inject('tarball'), ...packages, ...(node ? [`${BINARY}@${node}`] : [])]
  const flags = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--engine-strict=false',
    '--prefer-offline',
    '--include=peer',
  ]
  await run('npm', ['install', ...flags, ...all], { cwd: folder })
}

async function runTests(folder: string, { entry, node }: Runner): Promise<{ report: Report; output: string }> {
  const program = {
    vitest: ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', '--reporter=default'],
    jest: ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', '--json', '--no-watchman'],
  }
  const args = [...program[entry], '--maxWorkers=2', '--testTimeout=60000', '--outputFile=report.json']
  const others = Object.entries(process.env).filter(([name]) => !/^(VITEST|JEST|NODE_OPTIONS)/.test(name))
  const env = { ...Object.fromEntries(others), NO_COLOR: '1' }
  const command = node ? join(folder, 'node_modules', BINARY, 'bin/node') : process.execPath
  // The command fails, because one of the tests is expected to fail.
  const { stdout, stderr } = await run(command, args, { cwd: folder, env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
  const output = stdout + stderr
  try {
    return { report: JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report, output }
  } catch {
    return expect.fail(`no report was written:\n${output.slice(-2000)}`)
  }
}

/** Returns each test that has an unexpected result, and the first lines of its error. */
function describeFailures({ testResults }: Report, folder: string): string[] {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const file = name.replace(`${folder}/`, '')
    if (assertionResults.length === 0) return [`${file} ran no test: ${message}`]
    const unexpected = assertionResults.filter(({ title, status }) => (status === 'passed') === (title === FAILING))
    return unexpected.map(({ title, status, failureMessages }) => {
      const lines = (failureMessages ?? []).join('\n').split('\n')
      return `${file}, ${title}: ${status}\n${lines.slice(0, 12).join('\n')}`
    })
  })
}

test.concurrent.each(runners)(
  'the test suites in the documentation give the expected results with $name in each environment',
  async (runner) => {
    const folder = join(root, runner.name)
    mkdirSync(folder)
    await install(folder, runner)
    const files = writeProject(folder, runner)
    const { report, output } = await runTests(folder, runner)
    expect(describeFailures(report, folder).join('\n\n')).toBe('')
    expect(report.testResults.map(({ name }) => name.replace(`${folder}/`, '')).sort()).toEqual(files.sort())
    const failing = files.filter((file) => !file.startsWith('typed/')).length
    const cases = readdirSync(join(folder, 'failed-cases'))
    expect(cases.filter((name) => name.endsWith('.jsonl'))).toHaveLength(failing)
    expect(cases.filter((name) => name.endsWith('.html'))).toHaveLength(failing)
    expect(output.split(`${FAILING}" failed. Its journal:`)).toHaveLength(failing + 1)
  },
)
