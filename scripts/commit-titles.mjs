// Fails if one of the last 20 commit titles does not have the form `type(scope): imperative summary` with at most 72
// characters.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'

const FORM = /^(feat|fix|perf|refactor|docs|test|build|ci)(\([\w-]+\))?: [a-z].*[^.]$/

const log = execFileSync('git', ['log', '-20', '--no-merges', '--format=%s'], {
  cwd: join(import.meta.dirname, '..'),
  encoding: 'utf8',
})
for (const title of log.trim().split('\n')) {
  if (title.length <= 72 && FORM.test(title)) continue
  process.stderr.write(`commit title is not "type(scope): summary" in 72 characters: ${title}\n`)
  process.exitCode = 1
}
