import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Description, type Operation, operationsOf, toRequest } from '../../helpers/openapi-examples.ts'
import { type ServerProcess, startProcess } from '../../helpers/server-process.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { type Call, generators } from './generated-calls.ts'
import { requirePrograms } from './programs.ts'

requirePrograms('openssl')
const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../..')
const PACKAGES = [
  '@hey-api/openapi-ts@0.99.0',
  'openapi-fetch@0.17.0',
  'openapi-typescript@7.13.0',
  'orval@8.38.0',
  'typescript@5.9.3',
]
const APIS = ['support', 'events', 'wallet', 'control'] as const

let server: ServerProcess
const openStreams: Response[] = []
const descriptions = new Map<string, Description>()
beforeAll(async () => {
  server = await startProcess({})
  for (const api of APIS) {
    descriptions.set(api, (await (await fetch(`${server.url}/openapi/${api}.json`)).json()) as Description)
  }
})
afterAll(() => server.stop('SIGTERM'))

test('clients of openapi-typescript, hey-api and orval compile and call every operation', async () => {
  const folder = makeTemporaryFolder()
  const inFolder = { cwd: folder, timeout: 200_000 }
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}')
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false']
  await run('npm', ['install', ...options, ...PACKAGES], inFolder)
  for (const [api, description] of descriptions) writeFileSync(join(folder, `${api}.json`), JSON.stringify(description))
  const compilerOptions = {
    strict: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: [],
    noEmit: true,
    skipLibCheck: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))

  const expected: Record<string, string[]> = {}
  for (const { name, generate, write } of generators) {
    writeFileSync(join(folder, `${name}.mjs`), generate(APIS))
    await run(process.execPath, [`${name}.mjs`], inFolder)
    const calls = await planCalls(name)
    for (const { operationId, statuses } of calls) expected[`${name} ${operationId}`] = statuses
    writeFileSync(join(folder, `${name}-calls.ts`), write(calls))
  }
  const compiled = await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], inFolder).catch(
    (error: { stdout: string }) => error,
  )
  expect(compiled.stdout).toBe('')

  const unexpected: string[] = []
  for (const { name } of generators) {
    const tsx = join(ROOT, 'node_modules/tsx/dist/cli.mjs')
    const { stdout } = await run(process.execPath, [tsx, `${name}-calls.ts`], inFolder)
    const results = JSON.parse(stdout) as Record<string, string>
    for (const [call, statuses] of Object.entries(expected).filter(([each]) => each.startsWith(`${name} `))) {
      const result = results[call.slice(name.length + 1)] ?? 'not called'
      if (!statuses.includes(result)) unexpected.push(`${call}: ${result}`)
    }
  }
  expect(unexpected).toEqual([])
  expect(Object.keys(expected)).toHaveLength(3 * [...descriptions.values()].flatMap(operationsOf).length)
}, 480_000)

/** Creates a world for each call, with the records that the call needs. */
async function planCalls(name: string): Promise<Call[]> {
  const calls: Call[] = []
  for (const [api, description] of descriptions) {
    for (const { path, method, operation } of operationsOf(description)) {
      const world = new World(`${name}-${api}-${calls.length}`)
      await world.ask('POST', server.url, '/_control/worlds', { name: world.name })
      const needed = (await needs[operation.operationId]?.(world)) ?? {}
      calls.push({ ...toCall(api, path, method, operation, needed), baseUrl: world.url })
    }
  }
  return calls
}

function toCall(api: string, path: string, method: string, operation: Operation, needed: Needed) {
  const valuesIn = (place: string) =>
    Object.fromEntries(
      (operation.parameters ?? [])
        .filter((each) => each.in === place && each.example !== undefined)
        .map(({ name, example }) => [name, example]),
    )
  const [[bodyType, media] = []] = Object.entries(operation.requestBody?.content ?? {})
  const statuses = Object.keys(operation.responses).filter((status) => status.startsWith('2'))
  return {
    api,
    operationId: operation.operationId,
    path,
    method: method.toUpperCase(),
    params: { ...valuesIn('path'), ...needed.params },
    query: { ...valuesIn('query'), ...needed.query },
    hasQuery: operation.parameters?.some((each) => each.in === 'query') ?? false,
    header: valuesIn('header'),
    headers: { ...(api === 'events' && { authorization: 'Bearer token-home' }), ...needed.headers },
    bodyType,
    body: needed.body ?? media?.example,
    statuses,
    types: Object.keys(operation.responses['200']?.content ?? {}),
  }
}

interface Needed {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  headers?: Record<string, string>
  body?: unknown
}

class World {
  readonly name: string
  readonly url: string

  constructor(name: string) {
    this.name = name
    this.url = `${server.url}/w/${name}`
  }

  async ask(method: string, url: string, path: string, body?: unknown): Promise<Response> {
    const payload = body === undefined ? {} : { body: JSON.stringify(body) }
    const reply = await fetch(url + path, { method, headers: { 'content-type': 'application/json' }, ...payload })
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
    return reply
  }

  get(path: string) {
    return this.ask('GET', this.url, path)
  }

  async play(operationId: string) {
    for (const description of descriptions.values()) {
      const found = operationsOf(description).find(({ operation }) => operation.operationId === operationId)
      if (!found) continue
      const { method, url, headers, payload } = toRequest('', found.path, found.method, found.operation)
      const body = payload instanceof Buffer ? new Uint8Array(payload) : JSON.stringify(payload)
      const reply = await fetch(this.url + String(url), {
        method: method!,
        headers: { authorization: 'Bearer token-home', 'content-type': 'application/json', ...headers } as Record<
          string,
          string
        >,
        ...(payload !== undefined && { body }),
      })
      if (!reply.ok) throw new Error(`${operationId}: ${reply.status} ${await reply.text()}`)
      return (await reply.json()) as Record<string, string>
    }
    throw new Error(`there is no operation ${operationId}`)
  }
}

interface Mail {
  srid: string
  links: { href: string }[]
}

const ofSubscription = async (world: World): Promise<Needed> => {
  const { subscriptionId } = await world.play('createSubscription')
  return { params: { subscriptionId } }
}
const ofWorld = async (world: World): Promise<Needed> => {
  const name = `${world.name}-other`
  await world.ask('POST', world.url, '/_control/worlds', { name })
  return { params: { name } }
}
const ofPlayed =
  (operationId: string) =>
  async (world: World): Promise<Needed> => {
    await world.play(operationId)
    return {}
  }
const STORE = { collection: 'stores', key: 'C100-117' }
const TICKET = { srid: '4100000017' }

/** Values that an operation needs and that no example can contain. */
const needs: Readonly<Record<string, (world: World) => Promise<Needed>>> = {
  deleteInstoreNoauthEmailcancel: async (world) => {
    const { srid } = await world.play('postInstoreCreate')
    const { items } = (await (await world.get('/_control/outbox')).json()) as { items: Mail[] }
    const mail = items.find((each) => each.srid === srid && each.links.length > 0)!
    return { query: Object.fromEntries(new URL(mail.links[0]!.href).searchParams) }
  },
  getSubscription: ofSubscription,
  updateSubscription: ofSubscription,
  deleteSubscription: ofSubscription,
  stream: async (world) => {
    // hey-api treats names that differ only in case as the same name.
    const query = { lastEventId: undefined, lastEventID: undefined }
    return { ...(await ofSubscription(world)), query }
  },
  createWorld: async (world) => ({ body: { name: `${world.name}-other` } }),
  getWorld: ofWorld,
  deleteWorld: ofWorld,
  diffWorlds: async (world) => ({
    ...(await ofWorld(world)),
    // These parameters require recorded worlds.
    query: { with: world.name, at: undefined, withAt: undefined },
  }),
  getJournalEntry: async (world) => {
    await world.play('getGuestZipCode')
    const { entries } = (await (await world.get('/_control/journal')).json()) as { entries: { id: number }[] }
    return { params: { id: entries[0]!.id } }
  },
  deleteFault: async (world) => ({ params: { faultId: (await world.play('addFault'))['faultId'] } }),
  getVariation: ofPlayed('setVariation'),
  getProfile: ofPlayed('setProfile'),
  getRecord: async () => ({ params: STORE }),
  putRecord: async (world) => {
    const record = await (await world.get(`/_control/records/${STORE.collection}/${STORE.key}`)).json()
    return { params: STORE, body: record }
  },
  deleteRecord: async () => ({ params: STORE }),
  endRecordings: ofPlayed('startRecording'),
  getRecording: ofPlayed('startRecording'),
  endRecording: ofPlayed('startRecording'),
  getExamination: ofPlayed('publishExamination'),
  restoreSnapshot: async (world) => ({ body: await (await world.get('/_control/snapshot')).text() }),
  confirmTicket: async () => ({ params: TICKET }),
  completeTicket: async (world) => {
    await world.ask('POST', world.url, `/_control/tickets/${TICKET.srid}/confirm`)
    return { params: TICKET }
  },
  issueCertificate: async () => {
    const folder = makeTemporaryFolder()
    const subject = '/C=US/ST=New Jersey/L=Ridgefield Park/O=Partner/OU=Wallet/CN=wallet.partner.example'
    const request = ['req', '-new', '-newkey', 'rsa:2048', '-nodes', '-sha256', '-subj', subject]
    await run('openssl', [...request, '-keyout', 'key.pem', '-out', 'request.pem'], { cwd: folder })
    return { body: { request: readFileSync(join(folder, 'request.pem'), 'utf8') } }
  },
  revokeAccessToken: async (world) => ({
    params: { accessToken: (await world.play('issueAccessToken'))['accessToken'] },
  }),
  deleteScenario: async (world) => {
    const deviceId = 'aaaaaaaa-0000-4000-8000-000000000001'
    const step = { afterMs: 600_000, deviceId, capability: 'switch', attribute: 'switch', value: 'on' }
    const reply = await world.ask('POST', world.url, '/_control/scenarios', { steps: [step] })
    return { params: { scenarioId: ((await reply.json()) as { scenarioId: string }).scenarioId } }
  },
  injectStreamFault: async (world) => {
    const { subscriptionId, registrationUrl } = await world.play('createSubscription')
    // The response must be referenced, because otherwise it would be closed.
    openStreams.push(await fetch(registrationUrl!))
    return { params: { subscriptionId }, body: { action: 'goodbye' } }
  },
  getImage: async (world) => ({
    params: { imageId: (await world.play('postGuestServiceRequestAssetSymptomImage'))['imageId'] },
  }),
  speakMcp: async () => ({ headers: { accept: 'application/json, text/event-stream' } }),
}
