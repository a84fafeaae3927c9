import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setup } from '../../helpers/build.ts'
import { crashAgainAndAgain } from './crash.ts'

// Usage: npx tsx test/system/reliability/kill.ts [--rounds 20] [--writers 16]
const text = (fallback: string) => ({ type: 'string', default: fallback }) as const
const { values } = parseArgs({ options: { rounds: text('20'), writers: text('16') } })
await setup()
const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-kill-'))
try {
  const { rounds, writers, acknowledged, images } = await crashAgainAndAgain(
    folder,
    Number(values.rounds),
    Number(values.writers),
  )
  process.stdout.write(
    `${rounds} kills under ${writers} writers: ${acknowledged} records and ${images} images acknowledged, none lost\n`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
