/**
 * CPU per GET as users run the server, with its journal, 64 connections and the headers of a browser, against a bare
 * Fastify that sends the same object: with both logs in a file, and silent; and of a page of 10 tickets. Limits 1.25,
 * 1.60 and 2.2. Run: npx tsx bench/as-used.ts
 */
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { createLogger } from '../src/commands/log.ts'
import { readConfig } from '../src/config.ts'
import { ourServer } from './our-server.ts'
import { compareServers, serveInChild, startServer } from './side-by-side.ts'

const headers = {
  accept: 'application/json, text/plain, */*',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-US,en;q=0.9',
  'cache-control': 'no-cache',
  'request-source': 'vendor.com',
  'sec-fetch-dest': 'empty',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'same-origin',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'vendorus-profId': 'dealer-erin',
}
const zip = '/stg/us/guest/zipCode?zipCode=07660'
const tickets = '/stg/us/dealer/tickets?limit=10'

/** Sends what it was given. */
function bareServer(logger: boolean) {
  const app = fastify({ logger })
  let object: unknown
  app.put('/object', async ({ body }) => {
    object = body
  })
  app.get('/object', async () => object)
  return app
}

const roles = {
  'logging-bare': () => bareServer(true),
  'logging-ours': () => ourServer({ logger: createLogger(readConfig({}), process) }),
  bare: () => bareServer(false),
  ours: () => ourServer(),
}

if (!(await serveInChild(roles))) {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-bench-'))
  const log = openSync(join(folder, 'log'), 'a')
  try {
    await compare('as users run it, both logs in a file', zip, { limit: 1.25, amount: 5000, log })
    await compare('the same with both logs silent', zip, { limit: 1.6, amount: 5000 })
    await compare('a page of 10 tickets, both logs silent', tickets, { limit: 2.2, amount: 2000 })
  } finally {
    closeSync(log)
    rmSync(folder, { recursive: true })
  }
}

async function compare(
  title: string,
  path: string,
  { limit, amount, log }: { limit: number; amount: number; log?: number },
): Promise<void> {
  const kind = log === undefined ? '' : 'logging-'
  const bare = await startServer(import.meta.filename, `${kind}bare`, { log })
  const ours = await startServer(import.meta.filename, `${kind}ours`, { log })
  const body = await (await fetch(ours.address + path, { headers })).text()
  await fetch(`${bare.address}/object`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body })
  const common = { headers, connections: 64 }
  await compareServers(
    { title, rounds: 15, amount, limit },
    [bare, { ...common, path: '/object' }],
    [ours, { ...common, path }],
  )
  bare.stop()
  ours.stop()
}
