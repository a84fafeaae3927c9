// Types, lint and format side by side; then the rooms, and the tests beside what changed since `origin/main`.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'

const root = join(import.meta.dirname, '..')
const started = Date.now()
const codes = await Promise.all([run('types'), lint()])
const { status } = codes.some((code) => code !== 0)
  ? { status: 1 }
  : runTests(['test/architecture.test.ts', ...testsBeside(changedFiles())])
process.stderr.write(`${status === 0 ? 'checked' : 'not right'} in ${((Date.now() - started) / 1000).toFixed(1)} s\n`)
process.exitCode = status ?? 1

async function lint() {
  return (await run('lint')) || (await run('format:check'))
}

function run(script) {
  const child = spawn('npm', ['run', '--silent', script], { cwd: root, stdio: 'inherit' })
  return new Promise((resolve) => child.once('close', resolve))
}

/** What is not on `origin/main` yet, or not committed where there is none. */
function changedFiles() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).split('\n')
  const hasOrigin = spawnSync('git', ['rev-parse', '--verify', '--quiet', 'origin/main'], { cwd: root }).status === 0
  const [base] = hasOrigin ? git('merge-base', 'HEAD', 'origin/main') : ['HEAD']
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')].filter(Boolean)
}

/** A changed test; of a source the tests of its folder, as `test` mirrors `src`, and those that bear its name. */
function testsBeside(files) {
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !/^(services|image)\//.test(path))
    .map((path) => `test/${path}`)
  return tests.filter((test) =>
    files.some((file) => {
      if (!/^src\/.*\.tsx?$/.test(file)) return file === test
      const isNamesake = basename(test, '.test.ts') === basename(file).replace(/\.tsx?$/, '')
      return isNamesake || (dirname(file) !== 'src' && dirname(test) === dirname(file).replace('src', 'test'))
    }),
  )
}

function runTests(files) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  return spawnSync(process.execPath, [vitest, 'run', ...files], { cwd: root, stdio: 'inherit' })
}
