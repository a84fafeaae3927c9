/**
 * How long one turn of the event loop takes at most, of the processor's time, longest first: the requests that were
 * found to hold it, the largest that are allowed, the first of each kind of a process, and those of a world of 100,000
 * tickets. Each round is a process of its own; a request's figure is the median. Limit 50 ms.
 * Run: npm run build && npx tsx bench/standstill.ts [sqlite or postgres] [rounds]; PostgreSQL wants DATABASE_URL, of an
 * empty database.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { print, quantile, report } from './ground/side-by-side.ts'
import { measureCases } from './standstill/cases.ts'
import { measureFullJournals } from './standstill/full-journals.ts'
import { openGround, type Turns } from './standstill/ground.ts'
import { measureAgents } from './standstill/agents.ts'
import { measureHostileRequests } from './standstill/hostile-requests.ts'
import { measureLargeWorlds } from './standstill/large-worlds.ts'

const [engine = 'memory', rounds = '3'] = process.argv.slice(2)
/** A new operation, body or tool that can be made to work long is sent by one of these. */
const parts = { measureLargeWorlds, measureHostileRequests, measureAgents, measureFullJournals, measureCases }
const only = process.env['ONLY']

const turns: Turns = new Map()
for (let round = 0; round < Number(rounds); round++) {
  for (const [name, measure] of Object.entries(parts)) {
    if (only !== undefined && name !== only) continue
    const folder = mkdtempSync(join(tmpdir(), 'standstill-'))
    const ground = await openGround(settingsOf(folder), turns)
    try {
      await measure(ground)
    } finally {
      await ground.stop()
      rmSync(folder, { recursive: true })
    }
  }
}
const longest = [...turns]
  .map(([name, all]) => ({ name, median: quantile(all, 0.5), most: Math.max(...all) }))
  .toSorted((a, b) => b.median - a.median)
for (const { name, median, most } of longest) print(`${median.toFixed(0)} ms (at most ${most.toFixed(0)}): ${name}`)
const [first] = longest
report(`event loop held by one request, ms (${engine})`, `${first!.median.toFixed(0)} (${first!.name})`, 50)

function settingsOf(folder: string): Record<string, string> {
  const common = { RATE_LIMIT: '' }
  if (engine === 'sqlite') return { ...common, DATA_DIR: folder, DATABASE_URL: '' }
  return engine === 'postgres' ? common : { ...common, DATA_DIR: '', DATABASE_URL: '' }
}
