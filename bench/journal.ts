/**
 * Measures the cost of the journal: CPU time of a GET with the journal compared with a server that has no journal.
 * Limit: 1.12. Run: npx tsx bench/journal.ts
 */
import { bundle } from './harness/bundle.ts'
import { ourServer } from './harness/our-server.ts'
import { serveInChild } from './harness/side-by-side.ts'
import { compareInSlices } from './harness/slices.ts'

const headers = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
const path = '/stg/us/guest/zipCode?zipCode=07660'

if (!(await serveInChild({ without: () => ourServer({ journal: false }), with: () => ourServer() }))) {
  const request = { program: await bundle(import.meta.filename), path, headers }
  await compareInSlices({ title: 'a GET with journal against without', connections: 10, runs: 10 }, [
    { ...request, name: 'without', args: ['without'] },
    { ...request, name: 'with', args: ['with'], limit: 1.12 },
  ])
}
