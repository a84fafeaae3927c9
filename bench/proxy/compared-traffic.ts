/**
 * Measures the resident memory of a comparing proxy with its own world during 10,000 calls (or CALLS), after each tenth
 * of them. Run: npx tsx bench/proxy/compared-traffic.ts [CALLS]
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fetch, ProxyAgent } from 'undici'
import { readConfig } from '../../src/server/config.ts'
import { startServer } from '../../src/server/server.ts'

const calls = Number(process.argv[2] ?? 10_000)
const HOST = 'support.vendor.example'
const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-bench-'))
const report = join(folder, 'report.json')

const upstream = await startServer(readConfig({ PORT: '0', LOG_LEVEL: 'silent' }))
const where = ['--host', HOST, '--listen', '127.0.0.1:0', '--ca', join(folder, 'ca')]
const mode = ['--mode', 'compare', '--upstream', upstream.url, '--out', report, '--rate', '9999', '--allow-writes']
const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts', 'proxy', ...where, ...mode], {
  cwd: ROOT,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const proxy = await new Promise<string>((resolve) => {
  let said = ''
  child.stdout.on('data', (piece) => {
    said += String(piece)
    const [, url] = /listens on (\S+)/.exec(said) ?? []
    if (url !== undefined) resolve(url)
  })
})

const dispatcher = new ProxyAgent(proxy)
const headers = { 'request-source': 'vendor.com', 'vendorus-profid': 'dealer-erin' }
const paths = [
  '/stg/us/dealer/tickets',
  '/stg/us/guest/zipCode?zipCode=1',
  '/stg/us/dealer/stores',
  '/stg/us/guest/schedule',
]
const residentMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024

const began = performance.now()
console.log(`${residentMb().toFixed(0)} MB before the first call`)
for (let done = 0; done < calls; done++) {
  // Every tenth request writes, so that IDs are generated and paired during the entire run.
  const isWrite = done % 10 === 9
  const call = isWrite ? { method: 'POST', body: '{"rating":5,"comment":"good"}' } : { method: 'GET' }
  const type: Record<string, string> = isWrite ? { 'content-type': 'application/json' } : {}
  const path = isWrite ? '/stg/us/customerFeedback' : paths[done % paths.length]!
  const reply = await fetch(`http://${HOST}${path}`, { ...call, headers: { ...headers, ...type }, dispatcher })
  await reply.text()
  if ((done + 1) % Math.ceil(calls / 10) === 0) console.log(`${residentMb().toFixed(0)} MB behind ${done + 1} calls`)
}
console.log(`${(calls / ((performance.now() - began) / 1000)).toFixed(0)} calls a second`)
await dispatcher.destroy()
child.kill('SIGTERM')
await new Promise((resolve) => child.once('exit', resolve))
const { calls: compared, differences } = JSON.parse(readFileSync(report, 'utf8')) as { calls: number; differences: [] }
console.log(`${compared} compared, ${differences.length} differences, a report of ${statSync(report).size} bytes`)
await upstream.close()
rmSync(folder, { recursive: true })
