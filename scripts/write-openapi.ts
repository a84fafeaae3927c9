import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { stringify } from 'yaml'
import { createZipCodeTable } from '../src/adapters/node/zip-codes.ts'
import { buildApp } from '../src/app.ts'
import { writeSchema } from '../src/billing/schema.ts'
import { writeWsdl } from '../src/billing/wsdl.ts'
import { apis } from '../src/http/openapi/apis.ts'
import type { OperationExample } from '../src/http/openapi/operation.ts'
import { DEFAULT_WORLD } from '../src/ports.ts'
import { readFixtures } from '../src/seed/fixtures.ts'
import { createMemoryWorlds } from '../src/worlds/memory-worlds.ts'
import type { ExampleRequest } from './example-request.ts'
import { exampleRequests } from './openapi-examples.ts'

/**
 * Writes `openapi/`: sends the example requests to a world whose time and ids are fixed, keeps what was answered, and
 * describes every route by its own schemas.
 */
const ROOT = join(import.meta.dirname, '..')
const OPENAPI = join(ROOT, 'openapi')
const EXAMPLES = join(OPENAPI, 'examples.json')
const NOON = Date.parse('2026-05-06T16:00:00.000Z')

const app = await openApp()
const examples: Record<string, OperationExample> = {}
const known = new Map<string, string>()
for (let step = 0; step < exampleRequests(known).length; step++) {
  await learn(exampleRequests(known)[step]!)
  const request = exampleRequests(known)[step]!
  examples[String(request.operation)] = await play(request)
}
mkdirSync(OPENAPI, { recursive: true })
writeFileSync(EXAMPLES, `${JSON.stringify(examples, null, 1)}\n`)

for (const name of [...Object.keys(apis), 'stream']) {
  const { payload } = await app.inject(`/openapi/${name}.json`)
  writeFileSync(
    join(OPENAPI, `${name}.yaml`),
    stringify(JSON.parse(payload), { aliasDuplicateObjects: false, lineWidth: 120 }),
  )
}
writeFileSync(join(OPENAPI, 'billing.wsdl'), writeWsdl('http://localhost:8080/iap/ws/RTCService'))
writeFileSync(join(OPENAPI, 'billing.xsd'), writeSchema())
await app.close()

async function openApp(): Promise<FastifyInstance> {
  const clock = { now: () => NOON }
  const zipCodes = createZipCodeTable(join(ROOT, 'fixtures/zip-codes.tsv.gz'))
  const settings = { fixtures: await readFixtures(join(ROOT, 'fixtures')), zipCodes, clock }
  const worlds = createMemoryWorlds(settings, { name: DEFAULT_WORLD, seed: 'openapi' })
  return buildApp({
    worlds,
    control: { loopback: true, worlds, version: 'openapi' },
    docs: { examplesFile: EXAMPLES, pageFolder: '' },
    verifyReplies: true,
  })
}

async function play(request: ExampleRequest): Promise<OperationExample> {
  const { parameters = {}, body, headers = {} } = request
  const reply = await send(request)
  if (reply.statusCode >= 300) {
    throw new Error(`the example of operation ${request.operation} answers ${reply.statusCode}: ${reply.payload}`)
  }
  return {
    parameters: { ...headers, ...parameters },
    ...(body === undefined ? {} : { body }),
    ...(reply.payload === '' ? {} : { reply: reply.json() }),
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
  return app.inject({ method: method as 'GET', url: url + search, headers, payload: payload ?? body } as InjectOptions)
}

/** Asks for the ids that a request names, as a client would. */
async function learn({ operation, headers = {} }: ExampleRequest): Promise<void> {
  const get: Get = async (path, parameters = {}) =>
    (await send({ operation, method: 'GET', path, parameters, headers })).json()
  const keep = (values: Record<string, string>) => {
    for (const [name, value] of Object.entries(values)) known.set(name, value)
  }
  if (operation === 2) {
    const { reasons } = await get<{ reasons: { reasonId: string }[] }>('/stg/us/contact/reason')
    keep({ reasonId: reasons[0]!.reasonId })
  }
  if (operation === 8) keep(await learnTicket(get))
  if (operation === 9 || operation === 10) keep(await learnOpenTicket(operation))
  if (operation === 33) keep(await learnInStore(get))
  if (operation === 34) keep({ inStoreSrid: (examples['33']!.reply as { srid: string }).srid })
  if (operation === 35) keep(await learnCancelKey())
}

type Get = <T>(path: string, parameters?: Record<string, string>) => Promise<T>

interface Symptoms {
  symptoms: { code: string; symptomId: string }[]
}

interface InStoreSlots {
  schedule: { date: string; slots: { startTime: string }[] }[]
}

interface Day {
  date: string
  timeSlots: { slotId: string; available: boolean }[]
}

async function learnTicket(get: Get) {
  const level = async (chosen: Record<string, string>) =>
    (await get<Symptoms>('/stg/us/dealer/symptom', { subType: 'TV', ...chosen })).symptoms[0]!.code
  const symCode1 = await level({})
  const symCode2 = await level({ symptomLevel1: symCode1 })
  const symCode3 = await level({ symptomLevel1: symCode1, symptomLevel2: symCode2 })
  const product = { zipCode: '07660', modelCode: 'VM-TV55' }
  const { schedules } = await get<{ schedules: Day[] }>('/stg/us/dealer/schedule', product)
  const free = schedules.flatMap(({ date, timeSlots }) => {
    const slot = timeSlots.find(({ available }) => available)
    return slot ? [{ date, slotId: slot.slotId }] : []
  })
  const [, day, , later] = free
  return {
    symCode1,
    symCode2,
    symCode3,
    appointmentDate: day!.date,
    timeSlot: day!.slotId,
    laterDate: later!.date,
    laterSlot: later!.slotId,
  }
}

async function learnOpenTicket(operation: number) {
  const ticket = (examples['8']?.reply ?? { srid: `the srid of operation 8, for ${operation}` }) as { srid: string }
  return { ticketSrid: ticket.srid }
}

async function learnInStore(get: Get) {
  const center = { ascType: 'WALKIN', ascCode: 'ASC001' }
  const { schedule } = await get<InStoreSlots>('/stg/us/instore/noauth/slots', center)
  const [, day] = schedule
  const { symptoms } = await get<Symptoms>('/stg/us/instore/noauth/symptoms')
  return { inStoreDate: day!.date, inStoreTime: day!.slots[0]!.startTime, symptomId: symptoms[0]!.symptomId }
}

/** Operation 31 has cancelled the first request, so another one is made for the mail's link. */
async function learnCancelKey() {
  const create = exampleRequests(known).find(({ operation }) => operation === 33)!
  const { srid } = (await send(create)).json()
  const { items } = (await app.inject('/_control/outbox?limit=100')).json()
  const mail = items.find((item: { srid?: string; links: unknown[] }) => item.srid === srid && item.links.length > 0)
  const { searchParams } = new URL(mail.links[0].href)
  return { mailSrid: searchParams.get('srid')!, mailKey: searchParams.get('key')! }
}
