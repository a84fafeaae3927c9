/**
 * What the journal costs: CPU of a GET, against the same with ten records more a request, so that one record stands out
 * of the noise. Limit 15% of the request. Run: npx tsx bench/journal.ts
 */
import { recordRequest } from '../src/http/journal.ts'
import { ourServer } from './our-server.ts'
import { measure, print, serveInChild, startServer } from './side-by-side.ts'

const ROUNDS = 11
const AMOUNT = 8000
const MORE = 10

const headers = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
const request = { path: '/stg/us/guest/zipCode?zipCode=07660', headers }

async function recordingMore() {
  const app = await ourServer()
  app.addHook('onResponse', async (given, reply) => {
    for (let i = 0; i < MORE; i++) recordRequest(given, reply)
  })
  return app
}

if (!(await serveInChild({ once: () => ourServer(), more: recordingMore }))) {
  const once = await startServer(import.meta.filename, 'once')
  const more = await startServer(import.meta.filename, 'more')
  const shares: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const [whole, tenMore] = [await measure(once, request, AMOUNT), await measure(more, request, AMOUNT)]
    const record = (tenMore - whole) / MORE
    if (round > 0) shares.push(record / (whole - record))
    print(`${whole.toFixed(1)} us a request, of which the journal ${record.toFixed(2)} us`)
  }
  shares.sort((a, b) => a - b)
  const percent = (share: number) => `${(share * 100).toFixed(1)}%`
  const spread = `${percent(shares[0]!)} to ${percent(shares.at(-1)!)}`
  print(
    `the journal on top of a request without it: ${percent(shares[Math.floor(shares.length / 2)]!)} (${spread}); limit 15%`,
  )
  once.stop()
  more.stop()
}
