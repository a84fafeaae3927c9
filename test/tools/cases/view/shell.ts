import { execFileSync } from 'node:child_process'
import process from 'node:process'

/** Replaces curl with a function that prints its arguments, and its input if there is any. */
const RECORD = `curl() {
  printf '\\036'
  for word; do printf '%s\\037' "$word"; done
  case $* in *' @-'*) node -e 'process.stdin.pipe(process.stdout)' ;; esac
  printf '\\036'
}
`

export interface Called {
  words: string[]
  /** Input that was piped to curl. */
  body: string
}

export function runScript(script: string): Called[] {
  const env = { PATH: process.env['PATH'], VENDOR_CLOUD_URL: 'http://vendor' }
  const written = execFileSync('sh', ['-c', RECORD + script], { env, encoding: 'utf8' })
  return written
    .split('\u001e')
    .filter((_, i) => i % 2 === 1)
    .map((call) => {
      const words = call.split('\u001f')
      return { words: words.slice(0, -1), body: words.at(-1)! }
    })
}
