/**
 * Runs mixed traffic for an hour (or MINUTES): all three APIs, streams that open, break and resume, and worlds that are
 * created, forked, reset and deleted. Plots samples of the server's memory into `bench/soak/soak.svg`. Fails if memory
 * grows, according to the trend of the last two thirds and to the memory after all clients have disconnected. Run: npm
 * run build && npx tsx bench/soak/soak.ts [MINUTES] (with DATA_DIR for the disk engine)
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, setGlobalDispatcher } from 'undici'
import { call } from '../../test/system/acceptance/server.ts'
import { openFrames } from '../../test/tools/cases/open-frames.ts'
import { leaveTwoPlaces, scenarios } from '../../test/tools/cases/record-scenarios.ts'
import { plot } from '../harness/plot.ts'
import { print, quantile, report, spreadOf } from '../harness/side-by-side.ts'

const PROBE = join(import.meta.dirname, '../harness/soak-probe.mjs')
const PROBED = ['--expose-gc', '--import', PROBE]
const ROOT = join(import.meta.dirname, '../..')
const MINUTES = Number(process.argv[2] ?? 60)
const SAMPLE_EVERY = Math.max(1000, (MINUTES * 60_000) / 240)
/** Number of clients, and milliseconds between two requests of a client. The server is busy but not overloaded. */
const [CLIENTS, PAUSE] = [6, 100]
const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'
const identity = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }

/** Memory is in MB. Delays are in milliseconds. */
interface Sample {
  minutes: number
  heap: number
  rss: number
  descriptors: number
  timers: number
  resources: number
  p99: number
  longest: number
  /** Delay of an idle process, which shows the effect of other work on the machine. */
  idle: number
}
type Quantity = Exclude<keyof Sample, 'minutes'>

/** Allowed growth of each value: a proportion of the value or an absolute amount, whichever is larger. */
const HELD = [
  ['heap', 'heap after a collection, MB', 0.05, 3],
  ['rss', 'resident memory, MB', 0.1, 20],
  ['descriptors', 'descriptors', 0.1, 5],
  ['timers', 'timers that keep the process', 0.1, 5],
] as const satisfies readonly (readonly [Quantity, string, number, number])[]

const counts = new Map<string, number>()
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
const over = new AbortController()
let started = 0
const { child, url } = await start()
const idler = fork(PROBE, { execArgv: PROBED })

// Idle connections close soon, so that all connections that remain open are the server's own.
setGlobalDispatcher(new Agent({ keepAliveTimeout: 1000, keepAliveMaxTimeout: 1000 }))
// Warms up, so that all code has been compiled before the measurement.
await Promise.all([...Array.from({ length: 3 }, (_, i) => live(`warm-${i}`)), fill(1000)])
const before = await atRest()
await fill(50_000)
started = performance.now()
const clients = Array.from({ length: CLIENTS }, (_, i) =>
  i % 3 === 0 ? makeWorlds(i) : i % 3 === 1 ? stream() : ask(),
)
const samples = await watch()
over.abort()
await Promise.all(clients)
const after = await atRest()
for (const each of [child, idler]) each.kill()
tell()
await draw()

/** Each client deletes its own worlds at the end. */
async function makeWorlds(client: number): Promise<void> {
  for (let i = 0; !over.signal.aborted; i++) {
    await live(`soak-${client}-${i}`)
    await wait(10 * PAUSE)
  }
}

async function live(name: string): Promise<void> {
  const world = `${url}/w/${name}`
  await expectOk('world made', call(`${url}/_control/worlds`, 'POST', { name }))
  await leaveTwoPlaces(world)
  for (const [scenario, run] of Object.entries(scenarios)) {
    await run(world)
    count(scenario)
  }
  await expectOk('world forked', call(`${url}/_control/worlds`, 'POST', { name: `${name}-fork`, from: name }))
  await putSetting(`${url}/w/${name}-fork`, 'mark')
  await expectOk('snapshot taken', call(`${world}/_control/snapshot`, 'GET'))
  await expectOk('world reset', call(`${world}/_control/reset`, 'POST'))
  for (const each of [`${name}-fork`, name]) {
    await expectOk('world deleted', call(`${url}/_control/worlds/${each}`, 'DELETE'))
  }
}

async function stream(): Promise<void> {
  const scope = { scopes: ['r:devices:*', 'r:locations:*'], locations: ['11111111-0000-4000-8000-000000000001'] }
  while (!over.signal.aborted) {
    const token = await call(`${url}/_control/tokens`, 'POST', { user: 'alice-home', ...scope, expiresIn: 600 })
    const bearer = { authorization: `Bearer ${String(token.json['accessToken'])}` }
    const body = { name: 'soak', subscriptionFilters: [{ type: 'DEVICEIDS', value: [LIGHT] }] }
    const { json } = await expectOk('subscription', call(`${url}/subscriptions`, 'POST', body, bearer))
    let last: string | undefined
    for (let round = 0; round < 5; round++) {
      const frames = await openFrames(
        String(json['registrationUrl']),
        last === undefined ? {} : { 'last-event-id': last },
      )
      count('stream opened')
      for (let i = 0; i < 10; i++) {
        await emit(i)
        await wait(PAUSE)
      }
      last = (await frames.take(11)).at(-1)?.id
      await frames.cut()
      count('stream cut')
    }
    const { subscriptionId } = json as { subscriptionId: string }
    await expectOk('subscription ended', call(`${url}/subscriptions/${subscriptionId}`, 'DELETE', undefined, bearer))
    await expectOk('token revoked', call(`${url}/_control/tokens/${String(token.json['accessToken'])}`, 'DELETE'))
  }
}

function emit(value: number) {
  const event = { capability: 'switchLevel', attribute: 'level', value, force: true }
  return expectOk('event', call(`${url}/_control/devices/${LIGHT}/events`, 'POST', event))
}

/** These requests do not permanently change anything. */
async function ask(): Promise<void> {
  const get = (path: string) => call(url + path, 'GET', undefined, identity)
  for (let i = 0; !over.signal.aborted; i++) {
    await expectOk('GET', get('/stg/us/guest/zipCode?zipCode=07660'))
    await expectOk('GET', get(`/stg/us/dealer/tickets?limit=20&offset=${i % 100}`))
    await putSetting(url, `soak-${i % 50}`)
    if (i % 20 === 0) await expectOk('journal', get('/_control/journal?limit=100'))
    if (i % 100 === 0) await expectOk('metrics', get('/metrics'))
    await wait(PAUSE)
  }
}

function putSetting(base: string, name: string) {
  const record = { name, value: 'x'.repeat(500) }
  return expectOk('record written', call(`${base}/_control/records/settings/${name}`, 'PUT', record))
}

async function expectOk(what: string, reply: ReturnType<typeof call>) {
  const { status, text, ...rest } = await reply
  if (status >= 300) throw new Error(`${what}: ${status} ${text.slice(0, 300)}`)
  count(what)
  return { status, text, ...rest }
}

async function watch(): Promise<Sample[]> {
  const found: Sample[] = []
  while (performance.now() - started < MINUTES * 60_000) {
    await wait(SAMPLE_EVERY)
    found.push(await sample())
  }
  return found
}

async function sample(): Promise<Sample> {
  const [told, { p99: idle }] = await Promise.all([probe(child), probe(idler)])
  return { ...told, idle, minutes: (performance.now() - started) / 60_000 }
}

async function probe(process: ChildProcess): Promise<Omit<Sample, 'minutes' | 'idle'>> {
  process.send('tell')
  const [told] = (await once(process, 'message')) as [Omit<Sample, 'minutes' | 'idle'>]
  return told
}

/** Waits until idle connections have closed, and clears the limited buffers of the default world. */
async function atRest(): Promise<Sample> {
  await expectOk('journal emptied', call(`${url}/_control/journal`, 'DELETE'))
  await expectOk('default world reset', call(`${url}/_control/reset`, 'POST'))
  await wait(5000)
  return sample()
}

/** Fills the limited buffers before the measurement, so that filling them does not look like growth. */
async function fill(events: number): Promise<void> {
  let left = events
  const one = async () => {
    while (left-- > 0) await emit(left)
  }
  await Promise.all(Array.from({ length: 16 }, one))
}

function tell(): void {
  for (const [what, times] of counts) print(`${what}: ${times}`)
  const judged = samples.slice(Math.floor(samples.length / 3))
  const span = judged.at(-1)!.minutes - judged[0]!.minutes
  for (const [name, title, share, least] of HELD) {
    const values = judged.map((each) => each[name])
    const middle = quantile(values, 0.5)
    const growth = slope(judged.map((each) => [each.minutes, each[name]] as const)) * span
    const left = after[name] - before[name]
    const seen = `median ${middle.toFixed(0)}, trend ${signed(growth)} in ${span.toFixed(0)} min, at rest ${before[name].toFixed(0)} before and ${after[name].toFixed(0)} after`
    const may = Math.max(least, share * middle)
    report(title, seen, `trend at most ${may.toFixed(0)}`)
    if (growth > may) fail(`${title}: it grows`)
    if (name !== 'rss' && left > before[name] / 5) fail(`${title}: ${left.toFixed(0)} are left`)
  }
  const [p99, idle] = [samples.map((each) => each.p99), samples.map((each) => each.idle)]
  const longest = Math.max(...samples.map((each) => each.longest)).toFixed(0)
  const held = `${spreadOf(p99, 1)}, largest ${Math.max(...p99).toFixed(0)}; the longest delay ${longest}`
  const machine = `an idle process beside ${spreadOf(idle, 1)}, largest ${Math.max(...idle).toFixed(0)}`
  report('event-loop delay, p99 of each sample, ms', `${held}; ${machine}`, 50)
  if (quantile(p99, 0.5) > 50 + quantile(idle, 0.5)) fail('the event loop is held')
}

function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (which: 0 | 1) => points.reduce((sum, point) => sum + point[which], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const [up, across] = [
    points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0),
    points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0),
  ]
  return across === 0 ? 0 : up / across
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(1)}`
}

function fail(why: string): void {
  print(`not as it should be: ${why}`)
  process.exitCode = 1
}

async function draw(): Promise<void> {
  const curve = (name: Quantity, title: string, limit?: number) => {
    const points = samples.map((each) => ({ x: each.minutes, y: each[name] }))
    return { title, points, limit }
  }
  const curves = [
    ...HELD.map(([name, title]) => curve(name, title)),
    curve('p99', 'event-loop delay, p99 of each sample, ms (limit 50)', 50),
    curve('idle', 'the same of a process beside that does nothing: what the machine does to any'),
  ]
  const heading = `vendor-cloud under mixed traffic, Node ${process.versions.node}`
  await writeFile(join(import.meta.dirname, 'soak.svg'), plot(heading, 'minutes', curves))
}

async function start(): Promise<{ child: ChildProcess; url: string }> {
  const env = { ...process.env, PORT: '0', LOG_LEVEL: 'silent', RATE_LIMIT: '' }
  const server = fork(join(ROOT, 'dist/main.js'), {
    execArgv: PROBED,
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let text = ''
  for await (const chunk of server.stdout!) {
    text += String(chunk)
    const [address] = /http:\/\/[\d.]+:\d+/.exec(text) ?? []
    if (address) return { child: server, url: address }
  }
  throw new Error('the server has not started')
}
