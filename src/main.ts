#!/usr/bin/env node
import * as modules from 'node:module'
import { checkNodeVersion } from './cli/oldest-node.ts'

// Node 22 and later can cache compiled code for the next start. The commands are imported after this call.
if ('enableCompileCache' in modules) (modules.enableCompileCache as () => unknown)()

// A program that reads only part of the output, such as `head`, closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
// An older version of Node cannot load the commands.
const old = checkNodeVersion(process.versions.node)
if (old) {
  process.stderr.write(`Node.js ${old.says}, the oldest supported version. Run: ${old.fix}\n`)
  process.exitCode = 1
} else {
  const { runCommand } = await import('./cli/run.ts')
  process.exitCode = await runCommand(process.argv.slice(2), process)
}
