#!/usr/bin/env node
import * as modules from 'node:module'
import { checkNodeVersion } from './cli/oldest-node.ts'

// Node 22 and newer keep what they have compiled for the next start. Commands are loaded after this.
if ('enableCompileCache' in modules) (modules.enableCompileCache as () => unknown)()

// A reader of a part of what we write, such as head, hangs up on the rest.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
// An older Node cannot even load the commands.
const old = checkNodeVersion(process.versions.node)
if (old) {
  process.stderr.write(`Node.js ${old.says}, the oldest supported version. Run: ${old.fix}\n`)
  process.exitCode = 1
} else {
  const { runCommand } = await import('./cli/run.ts')
  process.exitCode = await runCommand(process.argv.slice(2), process)
}
