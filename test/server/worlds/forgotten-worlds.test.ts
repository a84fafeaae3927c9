import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { createServedTools } from '../../../src/cli/mcp/served-tools.ts'
import { readConfig } from '../../../src/server/config.ts'
import type { Ports } from '../../../src/server/ports.ts'
import { type RunningServer, startServer } from '../../../src/server/server.ts'
import { createTicket } from '../../system/acceptance/flow.ts'
import { call } from '../../system/acceptance/server.ts'
import { createCustomers, findScarceSlot, LIGHT } from '../../tools/cases/record-scenarios.ts'
import { openFrames } from '../../tools/cases/open-frames.ts'
import { multipartType, newForm, readPicture } from '../../helpers/documents/multipart.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const dealer = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
const home = { authorization: 'Bearer token-home' }
/** Bytes: a recording alone is more. What is compiled on the way grows too. */
const TRACE = 500_000

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

async function measureHeap(): Promise<number> {
  // What is on its way out of sockets and timers has left behind two turns.
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
  return process.memoryUsage().heapUsed
}

async function ask(url: string, method: string, body?: unknown, headers = {}) {
  const reply = await call(url, method, body, headers)
  if (reply.status >= 300) throw new Error(`${method} ${url}: ${reply.status} ${reply.text}`)
  return reply.json as Record<string, unknown>
}

/** Tools of agents, each with what it is asked. */
const asked = { explain: { entry: 1 }, journal: {}, case: {} }

/** All that a world can have: whatever is made anew here for worlds is done here too. */
async function live(url: string): Promise<void> {
  const control = (method: string, path: string, body?: unknown) => ask(`${url}/_control/${path}`, method, body)
  await control('PUT', 'clock', { frozen: true })
  await control('POST', 'recordings', { name: 'all' })
  await control('POST', 'faults', { match: { operation: 1 }, delayMs: 0, times: 1 })
  await control('POST', 'faults/profiles/slow')
  await control('DELETE', 'faults')
  await control('PUT', 'variation', { kinds: ['json-order'] })
  await control('DELETE', 'variation')
  const choices = { 'ticket-progress': 'auto', 'session-lifetime': 'PT1H' }
  await control('PUT', 'profile', { profile: 'all', choices, faults: [{ match: { operation: 2 }, delayMs: 0 }] })
  await control('POST', 'sessions', { identity: 'profile:web-alice' })
  const event = { deviceId: LIGHT, capability: 'switch', attribute: 'switch', value: 'on' }
  await control('POST', 'scenarios', { steps: [{ afterMs: 1000, ...event }], repeat: true })
  await control('POST', 'clock/advance', { duration: 'PT5S' })
  const scopes = ['r:devices:*']
  await control('POST', 'tokens', { user: 'alice-home', scopes, locations: [], expiresIn: 60 })
  const filters = { name: 'all', subscriptionFilters: [{ type: 'DEVICEIDS', value: [LIGHT] }] }
  const { subscriptionId, registrationUrl } = await ask(`${url}/subscriptions`, 'POST', filters, home)
  const stream = await openFrames(String(registrationUrl))
  await control('POST', `streams/${String(subscriptionId)}/chaos`, { action: 'no-welcome' })
  await control('POST', `streams/${String(subscriptionId)}/chaos`, { action: 'duplicate' })
  await control('POST', `devices/${LIGHT}/events`, { capability: 'switch', attribute: 'switch', value: 'off' })
  const [bpNo = ''] = await createCustomers(url, 1)
  const { json: ticket } = await createTicket(url, (await findScarceSlot(url)).slot, bpNo)
  const sent = await fetch(`${url}/stg/us/guest/serviceRequest/asset/symptomImage?srid=${String(ticket['srid'])}`, {
    method: 'POST',
    headers: { 'request-source': 'vendor.com', 'content-type': multipartType },
    body: new Uint8Array(newForm([{ fileName: 'all.png', type: 'image/png', content: readPicture() }])),
  })
  if (sent.status !== 200) throw new Error(await sent.text())
  await ask(`${url}/stg/us/dealer/tickets`, 'GET', undefined, dealer)
  await control('GET', 'coverage')
  await control('GET', 'progress')
  await control('GET', 'choices')
  await control('POST', 'pact-states', { state: 'operation 3 is unavailable' })
  await control('POST', 'pact-states', { state: 'operation 3 is unavailable', action: 'teardown' })
  for (const [name, input] of Object.entries(asked)) {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
    await ask(`${url}/_control/mcp`, 'POST', message, { accept: 'application/json, text/event-stream' })
  }
  await (await fetch(`${url}/_control/journal?format=har`)).text()
  await (await fetch(`${url}/_control/recordings/current`)).text()
  await stream.cut()
}

/** A world and its fork, recorded and full, begun anew by reset and by snapshot, and gone again. */
async function liveAndDie({ url, worlds }: RunningServer, name: string): Promise<WeakRef<Ports>[]> {
  const seen: WeakRef<Ports>[] = []
  const see = (each: string) => seen.push(new WeakRef(worlds.find(each)!))
  await ask(`${url}/_control/worlds`, 'POST', { name, variation: { seed: 'v' } })
  await live(`${url}/w/${name}`)
  await ask(`${url}/_control/worlds`, 'POST', { name: `${name}-fork`, from: name })
  await live(`${url}/w/${name}-fork`)
  await ask(`${url}/_control/worlds`, 'POST', { name: `${name}-rewound`, from: name, at: 5 })
  await ask(`${url}/_control/worlds/${name}/diff?with=${name}-rewound&at=1`, 'GET')
  await ask(`${url}/_control/worlds/${name}-rewound`, 'DELETE')
  const snapshot = await (await fetch(`${url}/w/${name}/_control/snapshot`)).text()
  for (const each of [name, `${name}-fork`]) {
    const control = `${url}/w/${each}/_control`
    see(each)
    await ask(`${control}/reset`, 'POST')
    see(each)
    await ask(`${control}/recordings/current`, 'DELETE')
    await ask(`${control}/recordings`, 'POST')
    await ask(`${control}/snapshot`, 'PUT', snapshot)
    see(each)
    await ask(`${url}/_control/worlds/${each}`, 'DELETE')
  }
  return seen
}

test.each([
  ['memory', () => ({})],
  ['disk', () => ({ DATA_DIR: makeTemporaryFolder() })],
])('nothing of a world is left in the process when it is gone, in %s', async (_, settings) => {
  const server = await startServer(readConfig({ PORT: '0', SIMULATE: '1', ...settings() }), { mcp: createServedTools })
  onTestFinished(() => server.close())
  await liveAndDie(server, 'first')
  await liveAndDie(server, 'second')
  // What is compiled meanwhile is kept once; what a world leaves behind grows with each.
  for (let left = Number.POSITIVE_INFINITY, tries = 3; left >= 3 * TRACE; tries--) {
    expect(tries, `${left} bytes are left of three worlds`).toBeGreaterThan(0)
    const before = await measureHeap()
    const seen = [...(await liveAndDie(server, 'third')), ...(await liveAndDie(server, 'fourth'))]
    await liveAndDie(server, 'last')
    left = (await measureHeap()) - before
    // The latest may be held by a socket that is not closed yet.
    expect(seen.filter((each) => each.deref())).toEqual([])
  }
})

test('the case of a world that is gone is not the case of the next of its name', async () => {
  const { url, close } = await startServer(readConfig({ PORT: '0' }))
  onTestFinished(close)
  await ask(`${url}/_control/worlds`, 'POST', { name: 'again' })
  await ask(`${url}/w/again/_control/recordings`, 'POST', { name: 'first' })
  await ask(`${url}/_control/worlds/again`, 'DELETE')
  await ask(`${url}/_control/worlds`, 'POST', { name: 'again' })
  expect((await call(`${url}/w/again/_control/recordings/current`, 'GET')).status).toBe(404)
  await ask(`${url}/w/again/_control/recordings`, 'POST', { name: 'second' })
  await ask(`${url}/w/again/_control/reset`, 'POST')
  const ended = await (await fetch(`${url}/w/again/_control/recordings/current`)).text()
  expect(ended).toContain('{"ended":"the world was begun anew"}')
})

test('a recorded world holds little more than a plain one, and 500 that are gone hold nothing', async () => {
  const { fetch: ask, worlds, close } = await startServer(readConfig({}), { listen: false })
  onTestFinished(close)
  const send = async (method: 'POST' | 'DELETE', url: string, payload?: object) => {
    const body = payload && JSON.stringify(payload)
    const reply = await ask(new Request(`http://localhost${url}`, { method, ...(body && { body }) }))
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${url}: ${reply.status} ${text}`)
  }
  const begin = async (name: string, isRecorded: boolean) => {
    await send('POST', '/_control/worlds', { name })
    if (isRecorded) await send('POST', `/w/${name}/_control/recordings`, {})
  }
  const heapOf = async (isRecorded: boolean) => {
    const names = Array.from({ length: 20 }, (_, i) => `${isRecorded ? 'recorded' : 'plain'}-${i}`)
    const before = await measureHeap()
    for (const name of names) await begin(name, isRecorded)
    const held = ((await measureHeap()) - before) / names.length
    for (const name of names) await send('DELETE', `/_control/worlds/${name}`)
    return held
  }
  await heapOf(true)
  expect((await heapOf(true)) - (await heapOf(false))).toBeLessThan(100_000)

  const beginAndEnd = async (count: number) => {
    for (let i = 0; i < count; i++) {
      await begin('short', true)
      const headers = { 'request-source': 'vendor.com' }
      await ask(new Request('http://localhost/w/short/stg/us/guest/zipCode?zipCode=07660', { headers }))
      await send('DELETE', '/_control/worlds/short')
    }
  }
  await beginAndEnd(200)
  const before = await measureHeap()
  await beginAndEnd(500)
  expect((await measureHeap()) - before).toBeLessThan(3 * TRACE)
  expect(worlds.list()).toHaveLength(1)
})
