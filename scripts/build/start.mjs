#!/usr/bin/env node
// Runs the server or another command in a clone, after a build if sources have changed. It runs in this process, so
// that it receives signals. The published package runs dist/main.js instead.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { clearInterval, setInterval } from 'node:timers'
import { pathToFileURL } from 'node:url'
import { isBuilt } from './stamp.mjs'

/** Milliseconds. */
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
  process.stderr.write('Building the server, because its sources are new. This takes about ten seconds.\n')
  // Imported here, because loading esbuild would slow down every start.
  const { build } = await import('./build.mjs')
  return build(root, { servedOnly: true })
}

/** npm sends a signal to the shell in which it runs scripts. That shell ends without forwarding the signal. */
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
