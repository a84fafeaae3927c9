/**
 * Measures the longest event-loop tick in CPU time, and lists the longest first. Sends requests that are known to
 * block, the largest allowed ones, the first of each kind in a process, and requests to a world with 100,000 tickets.
 * Each round runs in its own process, and the result of a request is the median. The script measures the speed of the
 * machine with each request, scales the result to the fastest speed and prints the original value after it. Limit: 250
 * ms. Run: npm run build && npx tsx bench/standstill.ts [sqlite or postgres] [rounds]. PostgreSQL requires a
 * DATABASE_URL whose user may create databases. ONLY=measureCases selects one part.
 */
import { print, quantile, report } from './harness/side-by-side.ts'
import { measureCases } from './standstill/cases.ts'
import { openEngine } from './standstill/engine.ts'
import { measureFirstRequests } from './standstill/first-requests.ts'
import { measureFullCollections } from './standstill/full-collections.ts'
import { measureFullJournals } from './standstill/full-journals.ts'
import { openGround, type Turns } from './standstill/ground.ts'
import { measureAgents } from './standstill/agents.ts'
import { measureHostileRequests } from './standstill/hostile-requests.ts'
import { measureLargeFixtures } from './standstill/large-fixtures.ts'
import { measureLargeWorlds } from './standstill/large-worlds.ts'
import { measureRecordedWorlds } from './standstill/recorded-worlds.ts'

const [engine = 'memory', rounds = '3'] = process.argv.slice(2)
/** A new operation, body or tool that can cause long work must be added to one of these parts. */
const parts = {
  measureFirstRequests,
  measureLargeFixtures,
  measureLargeWorlds,
  measureHostileRequests,
  measureAgents,
  measureFullJournals,
  measureFullCollections,
  measureCases,
  measureRecordedWorlds,
}
const only = process.env['ONLY']

const turns: Turns = new Map()
for (let round = 0; round < Number(rounds); round++) {
  for (const [name, measure] of Object.entries(parts)) {
    if (only !== undefined && name !== only) continue
    const { settings, remove } = await openEngine(engine)
    const further = measure === measureLargeFixtures ? { FIXTURES: 'large' } : {}
    const ground = await openGround({ ...settings, ...further }, turns)
    try {
      await measure(ground)
    } finally {
      await ground.stop()
      await remove()
    }
  }
}
const quickest = Math.min(...[...turns.values()].flat().map(({ pace }) => pace))
const longest = [...turns]
  .map(([name, all]) => {
    const scaled = all.map((turn) => (turn.longest * quickest) / turn.pace)
    const raw = all.map((turn) => turn.longest)
    const collected = quantile(
      all.map((turn) => turn.collected),
      0.5,
    )
    return { name, median: quantile(scaled, 0.5), most: Math.max(...scaled), came: quantile(raw, 0.5), collected }
  })
  .toSorted((a, b) => b.median - a.median)
for (const { name, ...told } of longest) {
  const [median, most, came, collected] = [told.median, told.most, told.came, told.collected].map((ms) => ms.toFixed(0))
  print(`${median} ms (at most ${most}; as it came ${came}, of these ${collected} of the collector): ${name}`)
}
const paces = [...turns.values()].flat().map(({ pace }) => pace / quickest)
print(`the machine took ${quantile(paces, 0.5).toFixed(2)} (at most ${Math.max(...paces).toFixed(2)}) of its best time`)
const [first] = longest
report(`event loop held by one request, ms (${engine})`, `${first!.median.toFixed(0)} (${first!.name})`, 250)
