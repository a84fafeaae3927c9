// Checks types, lint rules, layers and the tests near the changes since `origin/main`, in about 20 seconds.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'

/**
 * Tests that take longer than all other checks. A test runs only if it has changed, or if a source with its
 * name has changed.
 */
const SLOW =
  /^test\/(system|tools\/(cases|examine))\/|^test\/server\/(http\/variation|control\/(coverage|forks|journal|scenarios|snapshot))\.|^test\/(pages|library)\./

/** Tests that `npm test` does not run. The list must match vitest.config.ts. */
const ELSEWHERE =
  /^(system\/(services|image|clients|console|programs|libraries|package|pact|workflows|endurance|reliability)|cli\/examine)\/|^tools\/(examine\/(matrix|probes)|cases\/shrink)\./

const root = join(import.meta.dirname, '..')
const started = Date.now()
const changed = changedFiles()
const { chosen, left } = testsBeside(changed)
const codes = await Promise.all([types(), lint().then((code) => code || test())])
const isRight = codes.every((code) => code === 0)
if (left.length > 0) process.stderr.write(`slow, and left to the whole suite: ${left.join(', ')}\n`)
process.stderr.write(`${isRight ? 'checked' : 'not right'} in ${((Date.now() - started) / 1000).toFixed(1)} s\n`)
process.exitCode = isRight ? 0 : 1

/**
 * Checks the changed files and their direct importers. `npm run types` and CI check everything, which takes four times
 * as long. The console is checked only if it or its shared modules have changed (see `test/architecture.test.ts`).
 */
async function types() {
  const quick = ['--noEmit', '--assumeChangesOnlyAffectDirectDependencies', '--tsBuildInfoFile']
  const isOfConsole = changed.some((file) => /^(src\/(contract|tools)\/|package|tsconfig)/.test(file))
  const code = await run('tsc', ...quick, 'node_modules/.cache/check.tsbuildinfo')
  if (code !== 0 || !isOfConsole) return code
  return run('tsc', ...quick, 'node_modules/.cache/check.console.tsbuildinfo', '-p', 'src/tools/console')
}

/** Style is checked only in changed files. The other rules need all files. */
async function lint() {
  const files = changed.filter((file) => existsSync(join(root, file)))
  const style = ['check', '--assist-enabled=false', '--error-on-warnings', '--no-errors-on-unmatched', ...files]
  return (
    (await run(process.execPath, 'scripts/lockfile.mjs')) ||
    (await run(process.execPath, 'scripts/words.mjs')) ||
    (await run('oxlint', '-c', 'scripts/oxlint.json', '--deny-warnings', '--quiet')) ||
    (files.length > 0 ? run('biome', ...style) : 0)
  )
}

function test() {
  return run('vitest', 'run', 'test/architecture.test.ts', ...chosen)
}

function run(name, ...args) {
  const program = name === process.execPath ? name : join(root, 'node_modules/.bin', name)
  const child = spawn(program, args, { cwd: root, stdio: 'inherit' })
  return new Promise((resolve) => child.once('close', resolve))
}

/** Returns the changes since `origin/main`, or the uncommitted changes if there is no such branch. */
function changedFiles() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).split('\n')
  const hasOrigin = spawnSync('git', ['rev-parse', '--verify', '--quiet', 'origin/main'], { cwd: root }).status === 0
  const [base] = hasOrigin ? git('merge-base', 'HEAD', 'origin/main') : ['HEAD']
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')].filter(Boolean)
}

/**
 * Selects changed tests. For a changed source, selects the tests with its name and the tests in the corresponding
 * folder, because `test` has the same folders as `src`.
 */
function testsBeside(files) {
  const sources = files.filter((file) => /^src\/.*\.tsx?$/.test(file))
  const names = new Set(sources.map((file) => basename(file).replace(/\.tsx?$/, '')))
  const folders = new Set(sources.map((file) => dirname(file).replace('src', 'test')).filter((each) => each !== 'test'))
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !ELSEWHERE.test(path))
    .map((path) => `test/${path}`)
  const named = tests.filter((path) => files.includes(path) || names.has(basename(path, '.test.ts')))
  const beside = tests.filter((path) => folders.has(dirname(path)) && !named.includes(path))
  const left = beside.filter((path) => SLOW.test(path))
  return { chosen: [...named, ...beside.filter((path) => !left.includes(path))], left }
}
