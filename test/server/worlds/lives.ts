import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Ports } from '../../../src/server/ports.ts'
import type { RunningServer } from '../../../src/server/server.ts'
import { createTicket } from '../../system/acceptance/flow.ts'
import { call } from '../../system/acceptance/server.ts'
import { createCustomers, findScarceSlot, LIGHT } from '../../tools/cases/record-scenarios.ts'
import { openFrames } from '../../tools/cases/open-frames.ts'
import { multipartType, newForm, readPicture } from '../../helpers/documents/multipart.ts'

const dealer = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
const home = { authorization: 'Bearer token-home' }

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

export async function collectGarbage(): Promise<void> {
  // After two event-loop ticks, sockets and timers have ended.
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
}

export async function ask(url: string, method: string, body?: unknown, headers = {}) {
  const reply = await call(url, method, body, headers)
  if (reply.status >= 300) throw new Error(`${method} ${url}: ${reply.status} ${reply.text}`)
  return reply.json as Record<string, unknown>
}

const asked = { explain: { entry: 1 }, journal: {}, case: {} }

/** Uses all features of a world. If a world gets a new feature, it must be added here. */
export async function live(url: string): Promise<void> {
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

/** Records and fills a world and its fork. Then resets, restores and deletes both worlds. */
export async function liveAndDie({ url, worlds }: RunningServer, name: string): Promise<WeakRef<Ports>[]> {
  const seen: WeakRef<Ports>[] = []
  const see = (each: string) => void seen.push(new WeakRef(worlds.find(each)!))
  await ask(`${url}/_control/worlds`, 'POST', { name, variation: { seed: 'v' } })
  await live(`${url}/w/${name}`)
  await ask(`${url}/_control/worlds`, 'POST', { name: `${name}-fork`, from: name })
  await live(`${url}/w/${name}-fork`)
  await ask(`${url}/_control/worlds`, 'POST', { name: `${name}-rewound`, from: name, at: 5 })
  await ask(`${url}/_control/worlds/${name}/diff?with=${name}-rewound&at=1`, 'GET')
  await ask(`${url}/_control/worlds/${name}-rewound`, 'DELETE')
  for (const each of [name, `${name}-fork`]) await die(url, each, () => see(each))
  return seen
}

export async function die(url: string, name: string, see = () => {}): Promise<void> {
  const control = `${url}/w/${name}/_control`
  const snapshot = await (await fetch(`${control}/snapshot`)).text()
  see()
  await ask(`${control}/reset`, 'POST')
  see()
  await call(`${control}/recordings/current`, 'DELETE')
  await ask(`${control}/recordings`, 'POST')
  await ask(`${control}/snapshot`, 'PUT', snapshot)
  see()
  await ask(`${url}/_control/worlds/${name}`, 'DELETE')
}
