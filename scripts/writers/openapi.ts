import { createJobQueue } from '../../src/server/adapters/job-queue.ts'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { stringify } from 'yaml'
import { createZipCodeTable } from '../../src/server/adapters/node/zip-codes.ts'
import { buildApp } from '../../src/server/app.ts'
import { writeSchema } from '../../src/server/billing/wsdl.ts'
import { writeWsdl } from '../../src/server/billing/wsdl.ts'
import { apis } from '../../src/server/http/openapi/apis.ts'
import { fillIn, findExampleValues } from '../../src/server/http/openapi/example-values.ts'
import type { Ports } from '../../src/server/ports.ts'
import type { Worlds } from '../../src/server/ports/worlds.ts'
import { findExample, type RequestDraft, writeRequest } from '../../src/contract/example.ts'
import type { Heading, OperationContract } from '../../src/contract/operation.ts'
import { subscriptionOperations } from '../../src/contract/documents/events/subscriptions.ts'
import { supportOperations } from '../../src/contract/documents/support/operations.ts'
import { DEFAULT_WORLD } from '../../src/contract/records/control/world.ts'
import { readFixtures } from '../../src/server/seed/fixtures.ts'
import { createMemoryWorlds } from '../../src/server/worlds/memory-worlds.ts'
import { type Description, writeDocumentTypes } from './document-types.ts'
import { writeRequestFile } from './request-file.ts'

/**
 * Writes `openapi/`: sends the examples of the contract to a world with a fixed time and fixed IDs, stores the
 * responses, and describes every route by its schemas. Writes `examples/requests.http` from the same examples.
 */
const ROOT = join(import.meta.dirname, '../..')
const OPENAPI = join(ROOT, 'openapi')
const EXAMPLES = join(OPENAPI, 'examples.json')
const NOON = Date.parse('2026-05-06T16:00:00.000Z')

/** These operations come last, in this order, because they change the responses of other operations. */
const LAST = ['33', '34', '26', '31', '35', 'createSubscription']

const { app, ports, worlds } = await openApp()
const values = await findExampleValues(ports)
const operations = { ...supportOperations, createSubscription: subscriptionOperations.createSubscription }
const replies: Record<string, unknown> = {}
for (const [name, operation] of Object.entries(operations).sort(([a], [b]) => LAST.indexOf(a) - LAST.indexOf(b))) {
  replies[name] = await play(name, operation)
}
mkdirSync(OPENAPI, { recursive: true })
writeFileSync(EXAMPLES, `${JSON.stringify(replies, null, 1)}\n`)

const descriptions: Description[] = []
for (const name of [...Object.keys(apis), 'billing', 'stream']) {
  const { payload } = await app.inject(`/openapi/${name}.json`)
  if (!['control', 'billing'].includes(name)) descriptions.push(JSON.parse(payload) as Description)
  writeFileSync(
    join(OPENAPI, `${name}.yaml`),
    stringify(JSON.parse(payload), { aliasDuplicateObjects: false, lineWidth: 120, compat: 'yaml-1.1' }),
  )
}
writeFileSync(join(OPENAPI, 'billing.wsdl'), writeWsdl('http://localhost:8080/iap/ws/RTCService'))
writeFileSync(join(OPENAPI, 'billing.xsd'), writeSchema())
writeFileSync(join(OPENAPI, 'documents.d.ts'), await writeDocumentTypes(descriptions))
writeFileSync(join(ROOT, 'examples/requests.http'), await writeRequestFile(app, worlds))
await app.close()

async function openApp(): Promise<{ app: FastifyInstance; ports: Ports; worlds: Worlds }> {
  const clock = { now: () => NOON }
  const zipCodes = createZipCodeTable(join(ROOT, 'fixtures/zip-codes.tsv.gz'))
  const settings = { fixtures: await readFixtures(join(ROOT, 'fixtures')), zipCodes, clock, streamRetryMs: 3000 }
  const worlds = createMemoryWorlds(settings, { name: DEFAULT_WORLD, seed: 'openapi' })
  const app = await buildApp({
    worlds,
    control: { open: true, worlds, jobs: createJobQueue(), version: 'openapi' },
    docs: { examplesFile: EXAMPLES, pageFolder: OPENAPI, projectFolder: join(OPENAPI, '..') },
  })
  return { app, ports: worlds.find(DEFAULT_WORLD)!, worlds }
}

async function play(name: string, operation: OperationContract & Heading<string>): Promise<unknown> {
  const parts = findExample(operation)!
  const found = name === '35' ? { ...parts, query: await learnCancelKey() } : parts
  const { method, path, headers, body } = writeRequest(
    operation.route,
    JSON.parse(fillIn(JSON.stringify(found), values)) as RequestDraft,
  )
  const sent = { method, url: path, headers: { host: 'localhost:8080', ...headers }, payload: body }
  const reply = await app.inject(sent as InjectOptions)
  if (reply.statusCode === 200) return reply.json()
  throw new Error(`the example of operation ${name} returned ${reply.statusCode}: ${reply.payload}`)
}

async function learnCancelKey(): Promise<Record<string, string>> {
  const { srid } = replies['33'] as { srid: string }
  const { items } = (await app.inject('/_control/outbox?limit=100')).json()
  const mail = items.find((item: { srid?: string; links: unknown[] }) => item.srid === srid && item.links.length > 0)
  return Object.fromEntries(new URL(mail.links[0].href).searchParams)
}
