import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { temporaryFolder } from './temporary-folder.ts'

const ROOT = join(import.meta.dirname, '../..')

export interface Build {
  name: string
  program: string
}

/** With `--against COMMIT`, the build of that commit is measured too. */
export function buildsToMeasure(): Build[] {
  const ours = { name: 'this checkout', program: join(ROOT, 'dist/main.js') }
  const { against } = parseArgs({ options: { against: { type: 'string' } } }).values
  return against === undefined ? [ours] : [ours, buildCommit(against)]
}

/** Builds the commit with the installed packages of this checkout. */
function buildCommit(commit: string): Build {
  const folder = temporaryFolder()
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: ROOT, env: { ...process.env, GIT_INDEX_FILE: join(folder, 'index') } })
  const tree = join(folder, 'tree')
  git('read-tree', commit)
  git('checkout-index', '--all', `--prefix=${tree}/`)
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
  // npm finds the build script by its name. Its path differs between commits.
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: tree, stdio: 'inherit' })
  return { name: commit, program: join(tree, 'dist/main.js') }
}
