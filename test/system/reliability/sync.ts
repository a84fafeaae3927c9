import { ok } from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setup } from '../../helpers/build.ts'
import { startProcess } from '../../helpers/server-process.ts'

// Usage: npx tsx test/system/reliability/sync.ts. Requires strace. Checks that a sync ends between each request and its
// acknowledgement.
const WRITES = 100
await setup()
const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-sync-'))
const trace = join(folder, 'trace')
const strace = ['strace', '-D', '-f', '-s', '120', '-e', 'trace=fsync,fdatasync,read,write,writev', '-o', trace]
try {
  const server = await startProcess({ DATA_DIR: join(folder, 'data') }, { before: strace })
  for (let i = 0; i < WRITES; i++) {
    const name = `synced-${i}`
    const body = JSON.stringify({ name, value: 'x' })
    const headers = { 'content-type': 'application/json', 'x-request-id': `write-${i}` }
    const reply = await fetch(`${server.url}/_control/records/settings/${name}`, { method: 'PUT', headers, body })
    ok(reply.ok && (await reply.text()))
  }
  await server.stop('SIGTERM')
  process.stdout.write(`${countSynced(readFileSync(trace, 'utf8'))} acknowledgements, each after a sync\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function countSynced(text: string): number {
  let isSynced = false
  let acknowledged = 0
  for (const line of text.split('\n')) {
    if (/read\(.*"PUT \/_control\/records/.test(line)) isSynced = false
    if (/f(data)?sync(\(| resumed).*= 0$/.test(line)) isSynced = true
    const [, request] = /write.*HTTP\/1\.1 200 OK.*x-request-id: (write-\d+)/.exec(line) ?? []
    if (!request) continue
    ok(isSynced, `${request} was acknowledged before it was on disk`)
    acknowledged++
  }
  ok(acknowledged === WRITES, `${acknowledged} of ${WRITES} acknowledgements were seen`)
  return acknowledged
}
