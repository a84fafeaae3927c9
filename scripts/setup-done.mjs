// Before a command that needs the peers of package.json: says how to install them when they are missing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

if (!existsSync(join(import.meta.dirname, '../node_modules/typescript'))) {
  process.stderr.write('This command needs packages that `npm ci` leaves out: run `npm run setup` first.\n')
  process.exitCode = 1
}
