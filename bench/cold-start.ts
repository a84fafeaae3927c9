/**
 * Measures the time from the start of the process to the first 200, against a bare Fastify that is bundled in the same
 * way, in alternating rounds. Also measures the memory of the idle server. Limits: 2.0 and 80 MB.
 * Run: npm run build && npx tsx bench/cold-start.ts
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { print, report, spreadOf } from './harness/side-by-side.ts'

const ROUNDS = 11
const ROOT = join(import.meta.dirname, '..')
const bareSource = `
import fastify from 'fastify'
const app = fastify()
app.get('/health/ready', async () => ({ status: 'ready' }))
process.stdout.write((await app.listen({ port: 0, host: '127.0.0.1' })) + '\\n')
`

const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-bench-'))
try {
  const bare = await bundleBare()
  const ratios: number[] = []
  let memory = 0
  for (let round = 0; round < ROUNDS; round++) {
    const first = await timeStart(bare)
    const second = await timeStart(join(ROOT, 'dist/main.js'))
    ratios.push(second.milliseconds / first.milliseconds)
    memory = second.megabytes
    const ratio = ratios.at(-1)!.toFixed(2)
    print(`${first.milliseconds.toFixed(0)} ms bare, ${second.milliseconds.toFixed(0)} ms ours, ratio ${ratio}`)
  }
  report('start to the first 200 against a bundled bare Fastify', spreadOf(ratios), 2.0)
  report('idle memory, MB', memory.toFixed(0), 80)
} finally {
  rmSync(folder, { recursive: true })
}

async function bundleBare(): Promise<string> {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const [entry, outfile] = [join(folder, 'bare.ts'), join(folder, 'bare.mjs')]
  writeFileSync(entry, bareSource)
  const banner = { js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);" }
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', banner })
  return outfile
}

async function timeStart(program: string): Promise<{ milliseconds: number; megabytes: number }> {
  const started = performance.now()
  const env = { ...process.env, PORT: '0', LOG_LEVEL: 'silent' }
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const { status } = await fetch(`${await addressOf(child)}/health/ready`)
    if (status !== 200) throw new Error(`${program} answers ${status}`)
    const milliseconds = performance.now() - started
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
    return { milliseconds, megabytes: Number(kilobytes) / 1024 }
  } finally {
    // Users end the server in this way. Node 22 and later then store compiled code for the next start.
    child.kill()
    await once(child, 'exit')
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    child.stdout!.on('data', (chunk) => {
      text += chunk
      const [address] = /http:\/\/[\d.]+:\d+/.exec(text) ?? []
      if (address) resolve(address)
    })
  })
}
