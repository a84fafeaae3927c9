import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { stringify } from 'yaml'
import { createZipCodeTable } from '../../src/server/adapters/node/zip-codes.ts'
import { buildApp } from '../../src/server/app.ts'
import { writeSchema } from '../../src/server/billing/schema.ts'
import { writeWsdl } from '../../src/server/billing/wsdl.ts'
import { apis } from '../../src/server/http/openapi/apis.ts'
import { findExampleValues } from '../../src/server/http/openapi/example-values.ts'
import type { OperationExample } from '../../src/server/http/openapi/operation.ts'
import type { Ports } from '../../src/server/ports.ts'
import { DEFAULT_WORLD } from '../../src/contract/records/control/world.ts'
import { readFixtures } from '../../src/server/seed/fixtures.ts'
import { createMemoryWorlds } from '../../src/server/worlds/memory-worlds.ts'
import { controlExamples, controlNeeds } from './control-examples.ts'
import { type Description, writeDocumentTypes } from './document-types.ts'
import type { ExampleRequest } from './example-request.ts'
import { exampleRequests } from './openapi-examples.ts'

/**
 * Writes `openapi/`: sends the example requests to a world whose time and ids are fixed, keeps what was answered, and
 * describes every route by its own schemas.
 */
const ROOT = join(import.meta.dirname, '../..')
const OPENAPI = join(ROOT, 'openapi')
const EXAMPLES = join(OPENAPI, 'examples.json')
const NOON = Date.parse('2026-05-06T16:00:00.000Z')

const { app, ports } = await openApp()
const values = await findExampleValues(ports)
const placeholders = Object.keys(values).map((name): [string, string] => [name, `{{${name}}}`])
const known = new Map(Object.entries({ ...values, ...(await learnInStore()), ...(await learnSymptoms()) }))
const examples: Record<string, OperationExample> = {}
for (let step = 0; step < exampleRequests(known).length; step++) {
  if (exampleRequests(known)[step]!.operation === 35) await learnCancelKey()
  const request = exampleRequests(known)[step]!
  examples[String(request.operation)] = await play(
    request,
    exampleRequests(new Map([...known, ...placeholders]))[step]!,
  )
}
for (const operation of ['getSubscription', 'updateSubscription', 'deleteSubscription', 'stream']) {
  examples[operation] = { needs: 'subscriptionId, from createSubscription' }
}
for (const request of controlExamples) {
  const { reply: _unshown, ...example } = await play(request, request)
  examples[String(request.operation)] = example
}
for (const [operation, needs] of Object.entries(controlNeeds)) examples[operation] = { needs }
mkdirSync(OPENAPI, { recursive: true })
writeFileSync(EXAMPLES, `${JSON.stringify(examples, null, 1)}\n`)

const descriptions: Description[] = []
for (const name of [...Object.keys(apis), 'stream']) {
  const { payload } = await app.inject(`/openapi/${name}.json`)
  if (name !== 'control') descriptions.push(JSON.parse(payload) as Description)
  writeFileSync(
    join(OPENAPI, `${name}.yaml`),
    stringify(JSON.parse(payload), { aliasDuplicateObjects: false, lineWidth: 120 }),
  )
}
writeFileSync(join(OPENAPI, 'billing.wsdl'), writeWsdl('http://localhost:8080/iap/ws/RTCService'))
writeFileSync(join(OPENAPI, 'billing.xsd'), writeSchema())
writeFileSync(join(OPENAPI, 'documents.d.ts'), await writeDocumentTypes(descriptions))
await app.close()

async function openApp(): Promise<{ app: FastifyInstance; ports: Ports }> {
  const clock = { now: () => NOON }
  const zipCodes = createZipCodeTable(join(ROOT, 'fixtures/zip-codes.tsv.gz'))
  const settings = { fixtures: await readFixtures(join(ROOT, 'fixtures')), zipCodes, clock, streamRetryMs: 3000 }
  const worlds = createMemoryWorlds(settings, { name: DEFAULT_WORLD, seed: 'openapi' })
  const app = await buildApp({
    worlds,
    control: { open: true, worlds, version: 'openapi' },
    docs: { examplesFile: EXAMPLES, pageFolder: OPENAPI },
    verifyReplies: true,
  })
  return { app, ports: worlds.find(DEFAULT_WORLD)! }
}

/** Sends a request with values of its world, and keeps it with the names that the server fills in when it is asked. */
async function play(request: ExampleRequest, kept: ExampleRequest): Promise<OperationExample> {
  const { parameters = {}, body, headers = {}, needs } = kept
  const reply = await send(request)
  if (reply.statusCode >= 300) {
    throw new Error(`the example of operation ${request.operation} answers ${reply.statusCode}: ${reply.payload}`)
  }
  return {
    parameters: { ...headers, ...parameters },
    ...(body === undefined ? {} : { body }),
    ...(reply.payload === '' ? {} : { reply: reply.json() }),
    ...(needs ? { needs } : {}),
  }
}

function send({ method, path, parameters = {}, headers = {}, body, payload }: ExampleRequest) {
  const inPath = Object.keys(parameters).filter((name) => path.includes(`{${name}}`))
  const url = inPath.reduce(
    (text, name) => text.replace(`{${name}}`, encodeURIComponent(String(parameters[name]))),
    path,
  )
  const query = Object.entries(parameters)
    .filter(([name]) => !inPath.includes(name))
    .flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, String(each)]))
  const search = query.length > 0 ? `?${new URLSearchParams(query)}` : ''
  return app.inject({
    method: method as 'GET',
    url: url + search,
    headers: { host: 'localhost:8080', ...headers },
    payload: payload ?? body,
  } as InjectOptions)
}

/** The first symptom of each level. */
async function learnSymptoms(): Promise<Record<string, string>> {
  const headers = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
  const level = async (chosen: Record<string, string>) => {
    const query = { subType: 'TV', ...chosen }
    const reply = await app.inject({ url: '/stg/us/dealer/symptom', query, headers })
    return reply.json().symptoms[0].code as string
  }
  const symCode1 = await level({})
  const symCode2 = await level({ symptomLevel1: symCode1 })
  const symCode3 = await level({ symptomLevel1: symCode1, symptomLevel2: symCode2 })
  return { symCode1, symCode2, symCode3 }
}

/** An open request of the fixtures, and who made it on the web site. */
async function learnInStore(): Promise<Record<string, string>> {
  const open = await ports.store.inStoreRequests.find({ where: { status: ['E0001'] } })
  const { srid, userId } = open.find((request) => request.userId.startsWith('profile:'))!
  return { inStoreSrid: srid, inStoreUser: userId.slice('profile:'.length) }
}

/** The link in the mail of operation 33. */
async function learnCancelKey(): Promise<void> {
  const { srid } = examples['33']!.reply as { srid: string }
  const { items } = (await app.inject('/_control/outbox?limit=100')).json()
  const mail = items.find((item: { srid?: string; links: unknown[] }) => item.srid === srid && item.links.length > 0)
  const { searchParams } = new URL(mail.links[0].href)
  known.set('mailSrid', searchParams.get('srid')!).set('mailKey', searchParams.get('key')!)
}
