#!/usr/bin/env node
import * as modules from 'node:module'
import { runCommand } from './commands/run.ts'

// Node 22 and newer keep what they have compiled for the next start. Commands are loaded after this.
if ('enableCompileCache' in modules) (modules.enableCompileCache as () => unknown)()

// A reader of a part of what we write, such as head, hangs up on the rest.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
process.exitCode = await runCommand(process.argv.slice(2), process)
