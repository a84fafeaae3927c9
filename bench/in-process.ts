/**
 * Compares a GET through `fetch` in the same process with a GET through a port. Measures the CPU time of client and
 * server together, in alternating rounds. Run: npx tsx bench/in-process.ts
 */
import process from 'node:process'
import { readConfig } from '../src/server/config.ts'
import { startServer } from '../src/server/server.ts'
import { report, spreadOf } from './harness/side-by-side.ts'

const CALLS = 1000
const PARALLEL = 10
const ROUNDS = 15
const { fetch: ask, url, close } = await startServer(readConfig({ PORT: '0' }))
const request = () =>
  new Request(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers: { 'request-source': 'vendor.com' } })

async function measure(call: (request: Request) => Promise<Response>): Promise<number> {
  const before = process.cpuUsage()
  const callAll = async () => {
    for (let i = 0; i < CALLS / PARALLEL; i++) await (await call(request())).text()
  }
  await Promise.all(Array.from({ length: PARALLEL }, callAll))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CALLS
}

const ratios: number[] = []
for (let i = 0; i < ROUNDS; i++) {
  const first = await measure(i % 2 ? ask : fetch)
  const second = await measure(i % 2 ? fetch : ask)
  if (i >= 3) ratios.push(i % 2 ? first / second : second / first)
}
await close()
report('a GET in this process against one by its port, CPU of both ends', spreadOf(ratios), 1)
