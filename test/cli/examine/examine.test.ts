import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import type { Examination } from '../../../src/tools/client/types.ts'
import { runCommand } from '../../../src/cli/run.ts'
import type { ExaminationReport } from '../../../src/tools/examine/examination.ts'
import { play } from '../../../examples/clients/typescript/examined-client.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

async function run(...args: string[]) {
  const written = { stdout: '', stderr: '' }
  const sink = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text) })
  const code = await runCommand(['examine', ...args], { stdout: sink('stdout'), stderr: sink('stderr') })
  return { code, ...written }
}

const node = (script: string) => ['--', process.execPath, '--input-type=module', '-e', script]
const listeners = { SIGINT: process.listenerCount('SIGINT'), SIGTERM: process.listenerCount('SIGTERM') }
/** A shell starts about 20 times as fast as Node. */
const silent = ['--', 'sh', '-c', ':']
const ask = `
const { VENDOR_CLOUD_URL: url, VENDOR_CLOUD_PARTNER_CODE: partnerCode } = process.env
const deviceCheck = url + '/wallet/cmn/v2.0/device/available?serviceType=WALLET&modelName='
const ask = (modelName) => fetch(deviceCheck + modelName, { headers: { partnerCode } })
`

test('--list prints every check with its level and rule', async () => {
  const { code, stdout } = await run('--list')
  expect(code).toBe(0)
  expect(stdout).toContain('MUST   sends-request-source: Every request names its origin in the header request-source')
  expect(Number(/(\d+) checks\n$/.exec(stdout)![1])).toBeGreaterThanOrEqual(60)
  expect((await run('--only', 'wallet', '--list')).stdout).not.toContain('support')
})

test.each([
  [['--only', 'walet', '--', 'true'], 'walet is not one of support, events, wallet, billing'],
  [['--format', 'yaml', '--', 'true'], 'yaml is not one of text, json, junit, html'],
  [['--timeout', 'soon', '--', 'true'], '--timeout soon is out of range. Use more than 0 and at most 3600 seconds'],
  [[], 'no command to run. Add it after --'],
  [['--seed', 'x'.repeat(129), '--', 'true'], '--seed is longer than 128 characters'],
  [['--profile', 'strickt', '--', 'true'], 'did you mean strict?'],
  [['--only', 'wallet', '--', 'no-such-program'], 'cannot run no-such-program: no such program (ENOENT)'],
])('the arguments %j are rejected with exit code 2 and a message', async (args, words) => {
  const { code, stderr } = await run(...args)
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
})

test('a client that sends no requests fails, and the HTML report says so', async () => {
  const { code, stdout } = await run('--only', 'wallet', '--format', 'html', ...silent)
  expect(code).toBe(1)
  expect(stdout).toContain('<title>Grade D: vendor-cloud examine</title>')
  expect(stdout).toContain('the client never called')
  expect(stdout).not.toMatch(/(?:src|href)=/)
})

test('a client that crashes fails, and the JUnit report says so', async () => {
  const script = `${ask}; await ask('VM-S100'); process.exit(3)`
  const { code, stdout } = await run('--only', 'wallet', '--format', 'junit', ...node(script))
  expect(code).toBe(1)
  expect(stdout).toMatch(/<testsuite name="wallet" tests="\d+" failures="[1-9]\d*">/)
  expect(stdout).toContain('<failure message="A client accepts fields in any order.')
  expect(stdout).toMatch(/<system-err>[^<]*wallet-away: the client exited with code 3\n/)
})

test('a client that stops sending requests or ignores SIGTERM is reported as hanging', async () => {
  const script = `${ask}
    const { VENDOR_CLOUD_SCENARIO: scenario } = process.env
    if (scenario === 'wallet-json-order') process.on('SIGTERM', () => {})
    if (/wallet-(?:away|json-order)/.test(scenario)) setInterval(() => {}, 1000)
    await ask('VM-S100')
    if (scenario !== 'wallet-away') await ask('VM-S200')`
  const words = ['--only', 'wallet', '--timeout', '2', '--format', 'json']
  const { code, stdout } = await run(...words, ...node(script))
  const { scenarios } = JSON.parse(stdout) as ExaminationReport
  const findProblem = (each: string) => scenarios.find(({ name }) => name === each)!.problem
  expect(findProblem('wallet-away')).toBe(
    'the client hangs: it sent nothing during a wait of operation checkAvailability with status 200',
  )
  expect(findProblem('wallet-json-order')).toBe('the client hangs: it did not exit on SIGTERM')
  expect(code).toBe(1)
})

test('examine reports its progress to the server and prints the link to its console page', async () => {
  const file = join(makeTemporaryFolder(), 'progress.jsonl')
  const script = `${ask}
    import { appendFileSync } from 'node:fs'
    const read = async () => {
      const reply = await fetch(url + '/_control/examination')
      const progress = reply.ok ? await reply.json() : { scenarios: [] }
      const isRunning = ({ name, state }) => name === process.env.VENDOR_CLOUD_SCENARIO && state === 'running'
      return progress.scenarios.some(isRunning) ? progress : read()
    }
    appendFileSync(${JSON.stringify(file)}, JSON.stringify(await read()) + '\\n')
    const { available } = await ask('VM-S100')
    if (available) await ask('VM-S200')`
  const words = ['--only', 'wallet', '--seed', 'told', '--timeout', '2', '--format', 'json']
  const { stdout, stderr } = await run(...words, ...node(script))
  const report = JSON.parse(stdout) as ExaminationReport
  const told = readFileSync(file, 'utf8').trim().split('\n')
  expect(told.length).toBe(report.scenarios.length)
  const last = told.map((line) => JSON.parse(line) as Examination).at(-1)!
  expect(last.seed).toBe('told')
  expect(last.scenarios.map(({ name }) => name)).toEqual(report.scenarios.map(({ name }) => name))
  expect(last.scenarios.filter(({ state }) => state === 'done')).not.toEqual([])
  expect(last.grade).toMatch(/^[ABCD]$/)
  expect(Object.keys(last.checks[0]!)).toEqual(['name', 'level', 'verdict', 'advice'])
  // Requests to the control API are not attributed to the client.
  expect(Math.max(...report.scenarios.map(({ requests }) => requests))).toBeLessThanOrEqual(2)
  const isBuilt = existsSync(join(import.meta.dirname, '../../../dist/console/index.html'))
  expect(/^Watch the examination: http:\S+\/_console#\/examination$/m.test(stderr)).toBe(isBuilt)
})

test('the server reports all scenarios as done after examine prints its report on a terminal', async () => {
  const file = join(makeTemporaryFolder(), 'url')
  const script = `${ask}
    import { writeFileSync } from 'node:fs'
    writeFileSync(${JSON.stringify(file)}, url)
    await ask('VM-S100')`
  let isWritten = false
  const output = {
    stdout: { write: () => (isWritten = true) },
    stderr: { write: () => true, isTTY: true },
  }
  const ended = runCommand(['examine', '--only', 'wallet', '--timeout', '2', ...node(script)], output)
  await expect.poll(() => isWritten, { timeout: 50_000 }).toBe(true)
  const readProgress = async () => {
    const reply = await fetch(new URL('/_control/examination', readFileSync(file, 'utf8')))
    return (await reply.json()) as Examination
  }
  const isOver = ({ state }: { state: string }) => state === 'done'
  await expect.poll(async () => (await readProgress()).scenarios.every(isOver)).toBe(true)
  await ended
})

test('--attach waits longer than --timeout for the first call of a client', async () => {
  const written = { stdout: '', stderr: '' }
  const played: Promise<unknown>[] = []
  const output = {
    stdout: { write: (text: string) => (written.stdout += text) },
    stderr: {
      write: (text: string) => {
        written.stderr += text
        const exports = [...text.matchAll(/^ {2}export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value])
        if (exports.length === 0) return
        // For the first scenario, the person needs more time than `--timeout` allows for an action.
        const delay = played.length === 0 ? 2500 : 0
        const start = () => play(Object.fromEntries(exports) as Record<string, string>).catch(() => {})
        played.push(new Promise((resolve) => setTimeout(resolve, delay)).then(start))
      },
    },
  }
  const words = ['examine', '--attach', '--only', 'wallet', '--timeout', '2', '--format', 'json']
  expect(await runCommand(words, output)).toBe(0)
  await Promise.all(played)
  const { grade, scenarios } = JSON.parse(written.stdout) as ExaminationReport
  expect([grade, scenarios.length, played.length]).toEqual(['A', 11, 11])
  expect(written.stderr).toContain('wallet-away: Check whether the wallet is available for the model VM-S100')
  expect(written.stderr).toContain('This scenario has ended. Stop the client.')
})

test('the text report shows the task of a scenario below its first failed check only', async () => {
  const script = `${ask}; await ask('VM-S100'); process.exit(3)`
  const { stdout } = await run('--only', 'wallet', ...node(script))
  const names = [...stdout.matchAll(/^ {4}The task of (\S+): .+/gm)].map(([, name]) => name)
  expect(names).toContain('wallet-away')
  expect(names).toEqual([...new Set(names)])
})

test.each([
  ['SIGINT', ['--attach']],
  ['SIGTERM', ['--attach']],
  ['SIGINT', ['--', 'sleep', '60']],
] as const)('%s ends examine with exit code 130 and a partial report: %j', async (signal, args) => {
  const written = { stdout: '', stderr: '' }
  const ended = runCommand(['examine', '--only', 'wallet', ...args], {
    stdout: { write: (text: string) => (written.stdout += text) },
    stderr: { write: (text: string) => (written.stderr += text) },
  })
  await expect.poll(() => process.listenerCount(signal)).toBeGreaterThan(listeners[signal])
  if (args[0] === '--attach') await expect.poll(() => written.stderr).toContain('Waiting for its first call.')
  process.emit(signal, signal)
  expect(await ended).toBe(130)
  expect(written.stdout).toContain('Interrupted after 0 scenarios.')
})

const wrong = `${ask}
let reply = await ask('VM-S100')
for (; reply.status >= 500; reply = await ask('VM-S100')) await new Promise((go) => setTimeout(go, 600))
if ((await reply.json()).available) await ask('VM-S200')
if (process.env.VENDOR_CLOUD_SCENARIO === 'wallet-refused') {
  await ask('VM-S100')
  await fetch(url + '/wallet/cmn/v2.0/device/available?serviceType=WALLET&modelName=VM-S100')
}
`

test.each([['--seed', '-7f'], ['--seed=-7f'], ['--seed', '-_v7-_v7']])(
  'a seed that starts with a hyphen is accepted: %s %s',
  async (...words) => {
    const { stdout } = await run('--only', 'wallet', '--timeout', '1', ...words, '--format', 'json', ...silent)
    expect((JSON.parse(stdout) as ExaminationReport).seed).toBe(words.at(-1)!.replace('--seed=', ''))
  },
)

test('a profile applies to every scenario, and the reports contain its name', async () => {
  const file = join(makeTemporaryFolder(), 'theirs.yaml')
  writeFileSync(file, 'profile: theirs\nfaults: [{match: {path: /wallet/*}, delayMs: 1, name: theirs}]\n')
  const script = `${ask}; await ask('VM-S100')`
  const words = ['--only', 'wallet', '--timeout', '1', '--profile']
  const { stdout } = await run(...words, file, '--format', 'json', ...node(script))
  const { profile, checks } = JSON.parse(stdout) as ExaminationReport
  expect(profile).toBe('theirs')
  const met = checks.flatMap(({ evidence }) => evidence)
  expect(met.length).toBeGreaterThan(0)
  for (const { faults } of met) expect(faults).toContain('theirs')
  expect((await run(...words, 'lenient', ...silent)).stdout).toContain(', profile lenient)')
})

test('a missing option value is reported if another option follows, even a misspelled one', async () => {
  const { code, stderr } = await run('--seed', '--formt', 'json', '--', 'true')
  expect([code, stderr]).toEqual([2, expect.stringContaining('--seed needs a value before --formt: --seed S')])
})

test('two examinations with the same seed have the same result in text and JSON', async () => {
  const folder = makeTemporaryFolder()
  const write = async (format: string) => {
    const file = join(folder, format)
    await run('--only', 'wallet', '--seed', 'a', '--format', format, '--out', file, ...node(wrong))
    return readFileSync(file, 'utf8')
  }
  const [text, json] = await Promise.all([write('text'), write('json')])
  const { grade, seed, checks } = JSON.parse(json) as ExaminationReport
  const failed = checks.filter(({ verdict }) => verdict === 'failed')
  expect([grade, seed, failed.map(({ name }) => name)]).toEqual([
    'D',
    'a',
    ['sends-partner-code', 'takes-result-codes'],
  ])
  expect(failed[0]!.evidence[0]).toMatchObject({ operation: 'checkAvailability', status: 400 })
  expect(text).toMatch(
    /^Grade D.*\n\n {2}wallet {3}\d+ passed, 2 failed, 0 not covered\n[\s\S]*MUST sends-partner-code/,
  )
})
