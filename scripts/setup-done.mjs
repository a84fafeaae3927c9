// Runs before commands that need the peer dependencies in package.json. If they are missing, prints how to install
// them.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

if (!existsSync(join(import.meta.dirname, '../node_modules/typescript'))) {
  process.stderr.write('This command needs packages that `npm ci` leaves out: run `npm run setup` first.\n')
  process.exitCode = 1
}
