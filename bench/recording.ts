/**
 * Measures the cost of recording: CPU time of a GET in a recorded world compared with one that is not recorded, during
 * a recording of 18,000 requests. Limit: 1.10. Run: npx tsx bench/recording.ts
 */
import { bundle } from './harness/bundle.ts'
import { ourServer } from './harness/our-server.ts'
import { serveInChild } from './harness/side-by-side.ts'
import { compareInSlices } from './harness/slices.ts'

const headers = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
const path = '/stg/us/guest/zipCode?zipCode=07660'

async function beginRecording(address: string): Promise<number> {
  return (await fetch(`${address}/_control/recordings`, { method: 'POST' })).status
}

if (!(await serveInChild({ ours: () => ourServer() }))) {
  const request = { program: await bundle(import.meta.filename), args: ['ours'], path, headers }
  await compareInSlices({ title: 'a GET that is recorded against one that is not', connections: 10, runs: 5 }, [
    { ...request, name: 'plain' },
    {
      ...request,
      name: 'recorded',
      limit: 1.1,
      async prepare(address) {
        if ((await beginRecording(address)) >= 300) throw new Error('no recording was begun')
      },
      async check(address) {
        // A recording ends automatically when it is too large.
        if ((await beginRecording(address)) !== 409) throw new Error('the recording ended before the benchmark did')
      },
    },
  ])
}
