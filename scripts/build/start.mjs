// Starts the server, after a build when the sources have changed. It runs in this process, so that signals reach it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { clearInterval, setInterval } from 'node:timers'
import { pathToFileURL } from 'node:url'
import { isBuilt } from './stamp.mjs'

/** In milliseconds. */
const LOOK_EVERY = 250

const root = join(import.meta.dirname, '../..')
endWithShell()
if (isBuilt(root, { servedOnly: true }) || (await build())) await import(pathToFileURL(join(root, 'dist/main.js')).href)
else process.exitCode = 1

async function build() {
  if (!existsSync(join(root, 'node_modules/esbuild'))) {
    process.stderr.write('The packages are not installed: run `npm ci` first.\n')
    return false
  }
  process.stderr.write('Building, once: some ten seconds.\n')
  // Imported only now, because loading esbuild would slow every start.
  const { build } = await import('./build.mjs')
  return build(root, { servedOnly: true })
}

/** npm hands a signal to the shell that it runs scripts with, and that shell ends without handing it on. */
function endWithShell() {
  if (process.env.npm_lifecycle_event !== 'start') return
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, LOOK_EVERY)
  watch.unref()
}
