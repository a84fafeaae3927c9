/**
 * What the journal costs: CPU of a GET that is journaled against the same on a server that keeps no journal. Limit 1.15.
 * Run: npx tsx bench/journal.ts
 */
import { ourServer } from './our-server.ts'
import { compareServers, serveInChild, startServer } from './side-by-side.ts'

const headers = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
const request = { path: '/stg/us/guest/zipCode?zipCode=07660', headers }

const servers = { without: () => ourServer({ journal: false }), with: () => ourServer() }

if (!(await serveInChild(servers))) {
  const without = await startServer(import.meta.filename, 'without')
  const journaled = await startServer(import.meta.filename, 'with')
  const figures = { rounds: 21, amount: 5000, limit: 1.15 }
  await compareServers(
    { title: 'a GET with journal against without', ...figures },
    [without, request],
    [journaled, request],
  )
  without.stop()
  journaled.stop()
}
