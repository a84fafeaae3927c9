/**
 * Measures how long a replay takes, from the text of the case to the result. The case contains 10,000 requests,
 * alternately a GET and a POST of feedback. Limit: a few seconds. Run: npx tsx bench/replay.ts
 */
import process from 'node:process'
import { replayText } from '../src/cli/cases/replay.ts'
import { readConfig } from '../src/server/config.ts'
import { startServer } from '../src/server/server.ts'
import { report } from './harness/side-by-side.ts'

const STEPS = 10_000
const headers = { 'request-source': 'vendor.com' }

const { fetch, close } = await startServer(readConfig({ SEED: 'bench' }), { listen: false })
const send = (path: string, init: RequestInit = {}) => fetch(new Request(`http://localhost${path}`, init))
await send('/_control/recordings', { method: 'POST' })
for (let i = 0; i < STEPS; i += 2) {
  await send('/stg/us/guest/zipCode?zipCode=07660', { headers })
  const body = JSON.stringify({ rating: 1 + (i % 5), comment: `visit ${i}` })
  const posted = { ...headers, 'content-type': 'application/json' }
  await send('/stg/us/guest/customerFeedback', { method: 'POST', headers: posted, body })
}
const text = await (await send('/_control/recordings/current')).text()
await close()

const from = performance.now()
const { same, steps } = await replayText(text)
const seconds = (performance.now() - from) / 1000
report(`replaying ${steps} steps (${(text.length / 1e6).toFixed(1)} MB), s`, seconds.toFixed(1), 'seconds')
if (!same) process.exitCode = 1
