/**
 * Measures the CPU time per GET under the conditions of real use: journal, 64 connections, and the headers of a
 * browser. The baseline is a bare Fastify that sends the same object. Both are measured with a log file and with silent
 * logs. Also measures pages of 10 tickets each out of 1,000 such pages, while tickets change. Limits: 1.25 with silent
 * logs, 1.55 with a log file, and 1.7 for pages. Run: npm run bench -- as-used [--against COMMIT]
 */
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from './harness/bundle.ts'
import { buildsToMeasure } from './harness/commits.ts'
import { compareInSlices } from './harness/slices.ts'
import { temporaryFolder } from './harness/temporary-folder.ts'

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
const pages = Array.from({ length: 1000 }, (_, i) => `/stg/us/dealer/tickets?limit=10&offset=${10 * i}`)

const builds = buildsToMeasure()
const bare = await bundle(join(import.meta.dirname, 'harness/bare-object.ts'))
const log = openSync(join(temporaryFolder(), 'log'), 'a')
await compare({ title: 'as users run it, both logs in a file', runs: 10, path: zip, limit: 1.25, log })
await compare({ title: 'the same with both logs silent', runs: 6, path: zip, limit: 1.55 })
await compare({
  title: 'a page of 10 tickets, both logs silent',
  runs: 6,
  path: pages,
  limit: 1.7,
  change: changeTickets,
})

interface Pair {
  title: string
  runs: number
  path: string | readonly string[]
  limit: number
  change?: (address: string) => Promise<void>
  /** Default: silent logs. */
  log?: number
}

async function compare({ title, runs, path, limit, log, change }: Pair): Promise<void> {
  const level = log === undefined ? 'silent' : 'info'
  const env = {
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_FORMAT: 'json',
    LOG_LEVEL: level,
    FIXTURES: change ? 'large' : 'default',
  }
  let object = ''
  const ours = builds.map((build) => ({
    ...build,
    limit,
    env,
    log,
    path,
    headers,
    ...(change && { change }),
    async prepare(address: string) {
      object = await (await fetch(address + [path].flat()[0], { headers })).text()
    },
  }))
  const bareServer = {
    name: 'bare Fastify',
    program: bare,
    args: log === undefined ? [] : ['logging'],
    log,
    path: '/object',
    headers,
    async prepare(address: string) {
      await fetch(`${address}/object`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: object })
    },
  }
  await compareInSlices({ title, connections: 64, runs }, [bareServer, ...ours])
}

/** Reads a page and changes each of its tickets. Then checks that the next read returns the changes. */
async function changeTickets(address: string): Promise<void> {
  const page = address + pages[Math.floor(Math.random() * pages.length)]
  const read = async () => (await (await fetch(page, { headers })).json()) as { items: { srid: string }[] }
  const problemDescription = `Changed at ${performance.now()}`
  for (const { srid } of (await read()).items) {
    const record = `${address}/_control/records/tickets/${srid}`
    const body = JSON.stringify({ ...((await (await fetch(record)).json()) as object), problemDescription })
    await fetch(record, { method: 'PUT', headers: { 'content-type': 'application/json' }, body })
  }
  const { items } = (await read()) as { items: { problemDescription?: string }[] }
  if (items.some((ticket) => ticket.problemDescription !== problemDescription)) throw new Error('a page is out of date')
}
