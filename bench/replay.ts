/**
 * What a replay costs: a case of 10,000 GETs and feedbacks by turns, from its text to its verdict.
 * Limit: seconds. Run: npx tsx bench/replay.ts
 */
import process from 'node:process'
import { replayText } from '../src/commands/cases/replay.ts'
import { readConfig } from '../src/server/config.ts'
import { startServer } from '../src/server/server.ts'
import { report } from './ground/side-by-side.ts'

const STEPS = 10_000
const headers = { 'request-source': 'vendor.com' }

const { inject, close } = await startServer(readConfig({ SEED: 'bench' }), { listen: false })
await inject({ method: 'POST', url: '/_control/recordings' })
for (let i = 0; i < STEPS; i += 2) {
  await inject({ url: '/stg/us/guest/zipCode?zipCode=07660', headers })
  const payload = { rating: 1 + (i % 5), comment: `visit ${i}` }
  await inject({ method: 'POST', url: '/stg/us/guest/customerFeedback', headers, payload })
}
const { payload: text } = await inject('/_control/recordings/current')
await close()

const from = performance.now()
const { same, steps } = await replayText(text)
const seconds = (performance.now() - from) / 1000
report(`replaying ${steps} steps (${(text.length / 1e6).toFixed(1)} MB), s`, seconds.toFixed(1), 'seconds')
if (!same) process.exitCode = 1
