#!/usr/bin/env node
import { runCommand } from './commands/run.ts'

// Whoever reads a part of what we write, such as head, hangs up on the rest.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
process.exitCode = await runCommand(process.argv.slice(2), process)
