import process from 'node:process'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../helpers/build-test-app.ts'
import { type Description, type Operation, operationsOf, toRequest } from '../../helpers/openapi-examples.ts'
import { pick, randomBy } from '../services/histories/clients.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? 1)
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 4000)

/** Invalid values for fields and parameters. The test also sends values from responses. */
const ODD: readonly unknown[] = JSON.parse(String.raw`[
  "", " ", "0", "-1", "1e9", "null", "true", "Y", "N", "ä\ud83d\udcfa", "' OR 1=1 --", "%00", "a,b", "[]", "{}", "a\nb",
  "2026-02-30", "9999-12-31", "0001-01-01", "2026-05-04T12:00:00Z", "P1D", "0000000000000000000000000000000000000000",
  0, -1, 1.5, 1e21, 9007199254740993, true, false, null, [], {}, [null], ["a", "a"], {"a": {"b": [1]}}
]`)
const IDENTITIES = ['web-alice', 'web-bob', 'dealer-erin', 'dealer-frank', 'nobody', '', '1000000001']
const TOKENS = ['Bearer token-home', 'Bearer nope', 'Basic eDp5', 'Bearer', '']
const BODIES = ['', '{', 'null', '[]', '""', '{"a":1}{', '{"__proto__":{}}', '\u0000', '<a/>', 'a=b']
const TYPES = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'a',
  'text/xml',
]

interface Target {
  description: string
  server: string
  path: string
  method: string
  operation: Operation
  prefix: string
}

test.each(['support', 'events', 'wallet', 'billing', 'control'])(
  `random requests to the %s API get declared statuses and valid bodies (seed ${SEED})`,
  async (name) => {
    const random = randomBy(SEED)
    const test = buildTestApp()
    const { app } = test
    const description = (await app.inject(`/openapi/${name}.json`)).json<Description>()
    const validate = compileSchemas(description)
    // Faults, choices and profiles that a request sets affect only the world to which the request was sent.
    const targets = operationsOf(description).map(
      (each): Target => ({ description: name, server: '', prefix: '/w/fuzz', ...each }),
    )
    const seen: unknown[] = []
    const wrong = new Map<string, string>()
    for (let i = 0; i < REQUESTS; i++) {
      if (i % 200 === 0) await renewWorld(app)
      const target = pick(random, targets)
      const request = mutate(random, target, seen)
      const response = await send(app, request)
      const fault = check(target, response, validate)
      if (fault) {
        const kind = `${target.method} ${target.path} ${fault.slice(0, 90)}`
        if (!wrong.has(kind)) wrong.set(kind, `${fault}\n  ${describe(request)}\n  ${response.payload.slice(0, 300)}`)
      }
      if (response.statusCode === 200) remember(random, seen, response)
    }
    expect([...wrong].map(([kind, text]) => `${kind}: ${text}`).join('\n')).toBe('')
  },
)

type App = ReturnType<typeof buildTestApp>['app']

async function renewWorld(app: App): Promise<void> {
  await app.inject({ method: 'DELETE', url: '/_control/worlds/fuzz' })
  const payload = { name: 'fuzz' }
  expect((await app.inject({ method: 'POST', url: '/_control/worlds', payload })).statusCode).toBeLessThan(300)
}

/** An event stream never ends, so only the head of the response is read. */
async function send(app: App, request: InjectOptions): Promise<LightMyRequestResponse & { payload: string }> {
  const response = await app.inject({ ...request, payloadAsStream: true })
  const stream = response.stream()
  let payload = ''
  if (String(response.headers['content-type']).startsWith('text/event-stream')) stream.destroy()
  else for await (const chunk of stream.setEncoding('utf8')) payload += chunk
  return Object.assign(response, { payload })
}

function mutate(
  random: () => number,
  { path, method, operation, prefix }: Target,
  seen: readonly unknown[],
): InjectOptions {
  const value = () => (seen.length > 0 && random() < 0.4 ? pick(random, seen) : structuredClone(pick(random, ODD)))
  const changed = structuredClone(operation)
  for (const parameter of changed.parameters ?? []) {
    const chance = random()
    if (parameter.in === 'path' && (chance < 0.4 || parameter.example === undefined)) {
      // An empty segment, or a segment of dots, would change the path.
      parameter.example = String(value() ?? 'null').replace(/^\.{0,2}$/, 'x')
    } else if (parameter.in !== 'path' && chance < 0.2) parameter.example = value()
    else if (parameter.in !== 'path' && chance < 0.3) delete parameter.example
    if (parameter.in === 'path') parameter.example = encodeURIComponent(String(parameter.example))
    if (parameter.in === 'header' && parameter.example !== undefined) {
      parameter.example = String(parameter.example).replace(/[^\x20-\x7e]/g, '?')
    }
  }
  const request = toRequest(prefix, path, method, changed)
  const headers = request.headers as Record<string, string>
  if (random() < 0.4) headers['vendorus-profId'] = pick(random, IDENTITIES)
  headers['authorization'] = random() < 0.9 ? TOKENS[0]! : pick(random, TOKENS)
  if (random() < 0.1) delete headers['request-source']
  if (random() < 0.1) request.url += `${String(request.url).includes('?') ? '&' : '?'}unknown=1`
  const examples = operation.requestBody?.content['text/xml']?.examples
  if (examples) {
    request.payload = pick(random, Object.values(examples)).value
    headers['content-type'] = 'text/xml'
  }
  const isForm = Buffer.isBuffer(request.payload)
  if (request.payload && !isForm && random() < 0.6) request.payload = changeBody(random, request.payload, value)
  if (method !== 'get' && random() < 0.1) {
    request.payload = pick(random, BODIES)
    headers['content-type'] = pick(random, TYPES)
  }
  return { ...request, headers }
}

/** Changes, removes or adds up to three fields, at any depth. */
function changeBody(random: () => number, payload: unknown, value: () => unknown): string | object {
  if (typeof payload === 'string') {
    const at = Math.floor(random() * payload.length)
    return payload.slice(0, at) + String(value()) + payload.slice(at + Math.floor(random() * 20))
  }
  const body = structuredClone(payload) as object
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
    let place = body as Record<string, unknown>
    for (;;) {
      const key = Object.keys(place).length > 0 ? pick(random, Object.keys(place)) : 'more'
      const inner = place[key]
      if (typeof inner === 'object' && inner !== null && random() < 0.7) {
        place = inner as Record<string, unknown>
        continue
      }
      const chance = random()
      if (chance < 0.6) place[key] = value()
      else if (chance < 0.8) delete place[key]
      else place['unknown'] = value()
      break
    }
  }
  return body
}

type Validators = (target: Target, status: number, type: string) => ValidateFunction | undefined

function compileSchemas(description: Description): Validators {
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  formats.default(ajv)
  ajv.addFormat('idn-email', true)
  ajv.addSchema({ $id: 'api', ...description })
  const escapePointer = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')
  return ({ path, method, operation }, status, type) => {
    const content = operation.responses[status]?.content ?? {}
    if (!content[type]?.schema) return undefined
    const place = ['paths', path, method, 'responses', String(status), 'content', type, 'schema']
    return ajv.getSchema(`api#/${place.map((part) => encodeURIComponent(escapePointer(part))).join('/')}`)
  }
}

function check(target: Target, { statusCode, headers, payload }: LightMyRequestResponse, validate: Validators) {
  const declared = target.operation.responses[statusCode]
  if (statusCode >= 500 && target.description !== 'billing') return `answers ${statusCode}`
  if (!declared) return `answers ${statusCode}, which it does not declare`
  const sent = String(headers['content-type'] ?? '')
  const types = Object.keys(declared.content ?? {})
  if (types.length === 0)
    return payload === '' ? undefined : `answers ${statusCode} with a body that it does not declare`
  const type = types.find((each) => each === sent || each.split(';')[0] === sent.split(';')[0])
  if (!type) return `answers ${statusCode} as ${sent}, and declares ${types.join()}`
  if (!/^application\/json\b/.test(type)) return undefined
  const fits = validate(target, statusCode, type)
  if (!fits || fits(JSON.parse(payload))) return undefined
  const [error] = fits.errors!
  return `answers ${statusCode} with a body that is not of its schema: ${error!.instancePath} ${error!.message}`
}

/** Stores IDs, dates and names from a response, so that later requests can send them. */
function remember(random: () => number, seen: unknown[], { headers, payload }: LightMyRequestResponse): void {
  if (!/^application\/json\b/.test(String(headers['content-type'])) || payload.length > 100_000) return
  JSON.stringify(JSON.parse(payload), (_key, value: unknown) => {
    if (typeof value === 'string' && value.length > 0 && value.length < 100 && random() < 0.1) {
      seen[seen.length < 500 ? seen.length : Math.floor(random() * 500)] = value
    }
    return value
  })
}

function describe({ method, url, headers, payload }: InjectOptions): string {
  const body = Buffer.isBuffer(payload) ? 'a form' : JSON.stringify(payload)
  return `${method} ${String(url)} ${JSON.stringify(headers)} ${(body ?? '').slice(0, 400)}`
}
