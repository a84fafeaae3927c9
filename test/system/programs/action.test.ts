import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { startServer } from '../../helpers/running-server.ts'
import { requirePrograms } from './programs.ts'

requirePrograms('bash', 'git')

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../..')

interface Action {
  inputs: Record<string, { default: string }>
  runs: { steps: { name: string; id?: string; run?: string; env?: Record<string, string> }[] }
}

let folder: string
/** The folder into which GitHub checks out an action. */
let action: string
const pids: number[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-action '))
  action = join(folder, 'checkout of the action')
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', '.', ':!test', ':!bench']
  for (const file of execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(action, file)), { recursive: true })
    cpSync(join(ROOT, file), join(action, file))
  }
  await openJob().runSteps('.', ['Build'])
}, 900_000)
afterAll(() => rmSync(folder, { recursive: true }), 300_000)
afterEach(() => {
  for (const pid of pids.splice(0)) process.kill(pid, 'SIGKILL')
})

/** Simulates a job on GitHub. Its steps write values for later steps to files. */
function openJob() {
  const temporary = mkdtempSync(join(folder, 'runner-'))
  const workspace = mkdtempSync(join(folder, 'workspace-'))
  const told: Record<string, string> = {}
  let printed = ''
  return {
    told,
    temporary,
    printed: () => printed,
    async runSteps(path: string, names: readonly string[], given: Record<string, string> = {}) {
      const { inputs, runs } = parse(readFileSync(join(action, path, 'action.yml'), 'utf8')) as Action
      const outputs: Record<string, string> = {}
      for (const step of runs.steps.filter(({ name }) => names.includes(name))) {
        const files = Object.fromEntries(['GITHUB_OUTPUT', 'GITHUB_ENV'].map((name) => [name, join(temporary, name)]))
        for (const file of Object.values(files)) writeFileSync(file, '')
        const value = (text: string) =>
          text.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name: string) => given[name] ?? inputs[name]!.default)
        const own = Object.entries(step.env ?? {}).map(([name, text]) => [name, value(text)])
        const script = join(temporary, 'script.sh')
        writeFileSync(script, step.run!)
        const { PATH, HOME } = process.env
        const env = {
          PATH,
          HOME,
          CI: 'true',
          GITHUB_ACTIONS: 'true',
          RUNNER_TEMP: temporary,
          GITHUB_WORKSPACE: workspace,
          ...files,
          ...told,
          ...Object.fromEntries(own),
          GITHUB_ACTION_PATH: join(action, path),
        }
        // GitHub runs `shell: bash` with these options.
        const words = ['--noprofile', '--norc', '-eo', 'pipefail', script]
        const ended = await run('bash', words, { cwd: workspace, env, timeout: 900_000 }).catch(
          (error: { stdout: string; stderr: string; code: number }) => error,
        )
        printed += ended.stdout + ended.stderr
        Object.assign(told, readLines(files['GITHUB_ENV']!))
        Object.assign(outputs, readLines(files['GITHUB_OUTPUT']!))
        if (told['VENDOR_CLOUD_LOG']) pids.push(...pidsIn(dirname(told['VENDOR_CLOUD_LOG'])))
        if ('code' in ended) throw new Error(printed)
      }
      return outputs
    },
  }
}

function readLines(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)))
}

function pidsIn(path: string): number[] {
  if (!readdirSync(path).includes('ready.json')) return []
  return [(JSON.parse(readFileSync(join(path, 'ready.json'), 'utf8')) as { pid: number }).pid]
}

const headers = { 'request-source': 'vendor.com' }
const lookUp = (base: string) => fetch(`${base}/stg/us/guest/zipCode?zipCode=07660`, { headers })

test('the action installs packages in the locked versions and changes no file of its checkout', () => {
  const read = (name: string, root = action) =>
    JSON.parse(readFileSync(join(root, name), 'utf8')) as { packages: Record<string, { version: string }> }
  const installed = read('node_modules/.package-lock.json').packages
  const locked = read('package-lock.json', ROOT).packages
  expect(Object.keys(installed).length).toBeLessThan(Object.keys(locked).length / 3)
  for (const [path, { version }] of Object.entries(installed))
    expect([path, version]).toEqual([path, locked[path]!.version])
  expect(read('package.json')).toEqual(read('package.json', ROOT))
  expect(readdirSync(action).filter((name) => name.startsWith('.packages'))).toEqual([])
})

test('the action does not install packages again if its checkout already has them', async () => {
  const before = readFileSync(join(action, 'node_modules/.package-lock.json'), 'utf8')
  const job = openJob()
  await job.runSteps('.', ['Build'], {})
  expect(job.printed()).not.toContain('added')
  expect(readFileSync(join(action, 'node_modules/.package-lock.json'), 'utf8')).toBe(before)
})

test('the server of the action keeps running, and the report has pages of recorded worlds', async () => {
  const job = openJob()
  const { url, log } = await job.runSteps('.', ['Start'], {
    port: '0',
    settings: 'SEED=one\n\n  RATE_LIMIT=3 ',
  })
  expect(job.told).toMatchObject({ VENDOR_CLOUD_URL: url, VENDOR_CLOUD_HOME: action, VENDOR_CLOUD_LOG: log })
  expect(await (await lookUp(url!)).json()).toMatchObject({ city: 'Ridgefield Park' })
  for (let i = 0; i < 2; i++) await lookUp(url!)
  expect((await lookUp(url!)).status).toBe(429)
  const world = { name: 'of-a-test' }
  await fetch(`${url}/_control/worlds`, { method: 'POST', body: JSON.stringify(world) })
  await fetch(`${url}/w/of-a-test/_control/recordings`, { method: 'POST', body: JSON.stringify({ name: 'a test' }) })
  await lookUp(`${url}/w/of-a-test`)
  await fetch(`${url}/_control/worlds`, { method: 'POST', body: JSON.stringify({ name: 'not-recorded' }) })

  const { folder: report } = await job.runSteps('report', ['Write the pages'])
  const held = ['default.html', 'default.jsonl', 'of-a-test.html', 'of-a-test.jsonl', 'server.log']
  expect(readdirSync(report!).toSorted()).toEqual(held)
  expect(readFileSync(join(report!, 'default.html'), 'utf8')).toContain('zipCode=07660')
  expect(job.printed()).toContain('2 pages of recorded worlds')
  expect(job.printed()).not.toContain('::warning')
})

test('the log masks a control key from the settings, and the report uses it', async () => {
  const key = 'a-secret-of-the-repository'
  const job = openJob()
  const { url } = await job.runSteps('.', ['Start'], { port: '0', settings: `CONTROL_KEY=${key}` })
  expect(job.printed()).toMatch(new RegExp(`^::add-mask::${key}\\n`))
  expect(job.told['CONTROL_KEY']).toBe(key)
  expect((await fetch(`${url}/_control/status`)).status).toBe(401)
  const { folder: report } = await job.runSteps('report', ['Write the pages'])
  expect(readdirSync(report!)).toContain('default.html')
})

test.each([
  ['an invalid setting', { port: '0', settings: 'MAX_STREAMS=many' }, 'MAX_STREAMS'],
  ['a line that is not a setting', { port: '0', settings: 'secret words' }, 'not NAME=value'],
  [
    'a recording while the control API is off',
    { port: '0', settings: 'CONTROL=off' },
    'recording failed with status 404',
  ],
  ['an invalid port', { port: 'http' }, 'the server did not start'],
])('the start step of the action fails with a clear reason because of %s', async (_, given, reason) => {
  const job = openJob()
  await expect(job.runSteps('.', ['Start'], given)).rejects.toThrow(/::error title=vendor-cloud::/)
  expect(job.printed()).toContain(reason)
  expect(job.printed()).not.toContain('secret words')
  expect(job.told).toEqual({})
})

test('the start step fails without stopping the other server if the port is in use', async () => {
  const taken = await startServer({})
  const job = openJob()
  await expect(job.runSteps('.', ['Start'], { port: new URL(taken).port })).rejects.toThrow('the server did not start')
  expect((await lookUp(taken)).status).toBe(200)
})

test('the report step warns without failing the job if no server is running', async () => {
  const job = openJob()
  const { folder: none } = await job.runSteps('report', ['Write the pages'])
  expect(readdirSync(none!)).toEqual([])
  expect(job.printed()).toContain('::warning title=vendor-cloud::no server was started')
  await job.runSteps('.', ['Start'], { port: '0' })
  for (const pid of pids.splice(0)) process.kill(pid, 'SIGKILL')
  const { folder: dead } = await job.runSteps('report', ['Write the pages'])
  expect(readdirSync(dead!)).toEqual(['server.log'])
  expect(job.printed()).toContain('did not return its recordings')
})
