// Runs histories for hours, with longer failures and a new order in each round: npm run histories -- [--minutes 60]
// [--seed 1]
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string' } } })
const env = {
  ...process.env,
  HISTORIES_MINUTES: values.minutes,
  ...(values.seed !== undefined && { HISTORIES_SEED: values.seed }),
}
const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'run.mjs'), 'histories'], {
  env,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
