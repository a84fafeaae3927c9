/**
 * What recording costs: CPU of a GET in a world that is recorded against the same in one that is not, over one recording
 * of 22,000 calls. Limit 1.10. Run: npx tsx bench/recording.ts
 */
import { ourServer } from './our-server.ts'
import { compareServers, serveInChild, startServer } from './side-by-side.ts'

const headers = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
const request = { path: '/stg/us/guest/zipCode?zipCode=07660', headers }

if (!(await serveInChild({ ours: () => ourServer() }))) {
  const plain = await startServer(import.meta.filename, 'ours')
  const recorded = await startServer(import.meta.filename, 'ours')
  const beginRecording = () => fetch(`${recorded.address}/_control/recordings`, { method: 'POST' })
  await beginRecording()
  await compareServers(
    { title: 'a GET that is recorded against one that is not', rounds: 21, amount: 1000, limit: 1.1 },
    [plain, request],
    [recorded, request],
  )
  // It ends by itself when it is large.
  if ((await beginRecording()).status !== 409) throw new Error('the recording ended before the benchmark did')
  plain.stop()
  recorded.stop()
}
