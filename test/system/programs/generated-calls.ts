/** A request for an operation. It consists of the examples in the operation's description. */
export interface Call {
  api: string
  operationId: string
  path: string
  method: string
  params: Record<string, unknown>
  query: Record<string, unknown>
  hasQuery: boolean
  /** `header` contains the headers that are parameters of the operation. `headers` contains all other headers. */
  header: Record<string, unknown>
  headers: Record<string, string>
  bodyType: string | undefined
  body: unknown
  statuses: string[]
  types: string[]
  baseUrl: string
}

interface Generator {
  name: string
  /** Returns a script that generates a client for each description in the folder. */
  generate(apis: readonly string[]): string
  /** Returns a program that makes the calls with these clients and prints the status of each call. */
  write(calls: readonly Call[]): string
}

const GIF = 'R0lGODlhAQABAAAAACw='
const start = `
declare const process: { exit(code: number): never }
const image = new Blob([Uint8Array.from(atob('${GIF}'), (each) => each.charCodeAt(0))], { type: 'image/gif' })
const form = () => {
  const made = new FormData()
  made.set('imageFile', image, 'screen.gif')
  return made
}
let base = ''
let responded = (_status: string) => {}
const platformFetch = globalThis.fetch
globalThis.fetch = async (input, init) => {
  const reply = await platformFetch(typeof input === 'string' && input.startsWith('/') ? base + input : input, init)
  responded(String(reply.status))
  return reply
}
const results: Record<string, string> = {}
/** Closes a stream as soon as it has been opened. */
async function call(id: string, baseUrl: string, isStream: boolean, send: (signal: AbortSignal) => Promise<unknown>) {
  base = baseUrl
  const leaving = new AbortController()
  const status = new Promise<string>((resolve) => {
    responded = resolve
  })
  const sent = send(leaving.signal).then(() => status)
  sent.catch(() => {})
  results[id] = await (isStream ? Promise.race([status, sent]) : sent).catch((error: Error) => error.stack ?? error.message)
  leaving.abort()
}
`
const end = '\nconsole.log(JSON.stringify(results))\nprocess.exit(0)\n'

/**
 * This code is compiled but never run. It checks that list items have types, that bodies do not require fields that the
 * server sets, and that two fields accept null.
 */
const typed = `
export const readLists = (products: Products, stores: Stores, tickets: Tickets) => [
  products.items.map(({ modelCode }) => modelCode.length),
  stores.items.map(({ storeName }) => storeName?.length),
  tickets.items.map(({ status }) => status.length),
]
export const changes: Changes[] = [{}, { address2: null }, { mobilePhone: null }]
`

const write = (value: unknown) => JSON.stringify(value, (_, each) => (each === undefined ? undefined : each))
const capitalize = (name: string) => name[0]!.toUpperCase() + name.slice(1)
const isStream = ({ types }: Call) => types.join() === 'text/event-stream'
const isForm = ({ bodyType }: Call) => bodyType === 'multipart/form-data'
const isLines = ({ bodyType }: Call) => bodyType === 'application/x-ndjson'
const callOf = (call: Call, code: string) =>
  `await call('${call.operationId}', '${call.baseUrl}', ${isStream(call)}, (signal) => ${code})\n`

const object = (fields: Readonly<Record<string, string | undefined | false>>) =>
  `{ ${Object.entries(fields)
    .filter(([, code]) => code)
    .map(([name, code]) => (name === code ? name : `${name}: ${code}`))
    .join(', ')} }`
const ifAny = (values: object) => Object.keys(values).length > 0 && write(values)

const openapiTypescript: Generator = {
  name: 'openapi-typescript',
  generate: (apis) => `import { writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'
for (const api of ${write(apis)}) {
  const nodes = await openapiTS(new URL(\`\${api}.json\`, import.meta.url))
  writeFileSync(\`openapi-typescript-\${api}.ts\`, astToString(nodes))
}
`,
  write: (calls) => {
    const apis = [...new Set(calls.map(({ api }) => api))]
    const parseAs = (each: Call) => {
      if (isStream(each)) return `'stream'`
      return each.types.some((type) => !type.startsWith('application/json')) && `'text'`
    }
    const lines = calls.map((each) =>
      callOf(
        each,
        `${each.api}.${each.method}('${each.path}', ${object({
          baseUrl: write(each.baseUrl),
          signal: 'signal',
          params: object({ path: ifAny(each.params), query: ifAny(each.query), header: ifAny(each.header) }),
          headers: isLines(each) ? write({ ...each.headers, 'content-type': each.bodyType }) : ifAny(each.headers),
          body: isForm(each) ? `{ imageFile: '' }` : write(each.body),
          bodySerializer: isForm(each) ? 'form' : isLines(each) && '(text) => text',
          parseAs: parseAs(each),
        })})`,
      ),
    )
    return `import createClient from 'openapi-fetch'
${apis.map((api) => `import type { paths as ${api}Paths } from './openapi-typescript-${api}'`).join('\n')}
${start}
${apis.map((api) => `const ${api} = createClient<${api}Paths>()`).join('\n')}
${lines.join('')}
type Reply<Path extends keyof supportPaths> = supportPaths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never
type Products = Reply<'/stg/us/dealer/customers/{customerId}/products'>
type Stores = Reply<'/stg/us/dealer/stores'>
type Tickets = Reply<'/stg/us/dealer/tickets'>
type Changes = supportPaths['/stg/us/dealer/customers/{id}']['post']['requestBody']['content']['application/json']
${typed}${end}`
  },
}

const heyApi: Generator = {
  name: 'hey-api',
  generate: (apis) => `import { createClient } from '@hey-api/openapi-ts'
const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk']
for (const api of ${write(apis)}) {
  await createClient({ input: \`\${api}.json\`, output: \`hey-api-\${api}\`, plugins, logs: { level: 'silent' } })
}
`,
  write: (calls) => {
    const apis = [...new Set(calls.map(({ api }) => api))]
    const lines = calls.map((each) => {
      const options = object({
        baseUrl: write(each.baseUrl),
        signal: 'signal',
        path: ifAny(each.params),
        query: ifAny(each.query),
        headers: ifAny({ ...each.header, ...each.headers }),
        body: isForm(each) ? '{ imageFile: image }' : write(each.body),
        bodySerializer: isLines(each) && 'null',
      })
      const sent = `${each.api}.${each.operationId}(${options})`
      return callOf(each, isStream(each) ? `${sent}.then(({ stream }) => stream.next())` : sent)
    })
    return `${apis.map((api) => `import * as ${api} from './hey-api-${api}/sdk.gen'`).join('\n')}
import type {
  CustomerChanges as Changes,
  ItemWrapperOfDealerProduct as Products,
  ItemWrapperOfServiceRequest as Tickets,
  ItemWrapperOfStore as Stores,
} from './hey-api-support'
${start}${lines.join('')}${typed}${end}`
  },
}

const orval: Generator = {
  name: 'orval',
  generate: (apis) => `import { generate } from 'orval'
for (const api of ${write(apis)}) {
  await generate({ input: \`\${api}.json\`, output: { target: \`orval-\${api}.ts\`, client: 'fetch' } })
}
`,
  write: (calls) => {
    const apis = [...new Set(calls.map(({ api }) => api))]
    const lines = calls.map((each) => {
      const params = [
        ...[...each.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => write(each.params[name!])),
        each.hasQuery && write(each.query),
      ]
      const options = object({ signal: 'signal', headers: write({ ...each.header, ...each.headers }) })
      // A client of orval would read a stream to its end and parse every text as JSON. For streams and JSON Lines, the
      // test therefore uses only the URL from that client.
      if (isStream(each) || isLines(each) || each.types.includes('application/jsonl')) {
        const address = `${each.api}.get${capitalize(each.operationId)}Url(${params.filter(Boolean).join(', ')})`
        const request = `{ ...${options}, method: '${each.method}'${isLines(each) ? `, body: ${write(each.body)}` : ''} }`
        const typed = isLines(each)
          ? request.replace('headers: {', `headers: { 'content-type': '${each.bodyType}',`)
          : request
        return callOf(each, `fetch(${address}, ${typed})`)
      }
      const body = isForm(each) ? '{ imageFile: image }' : write(each.body)
      const args = each.bodyType === undefined ? params : [...params.slice(0, -1), body ?? 'undefined', params.at(-1)]
      return callOf(each, `${each.api}.${each.operationId}(${[...args, options].filter(Boolean).join(', ')})`)
    })
    return `${apis.map((api) => `import * as ${api} from './orval-${api}'`).join('\n')}
import type {
  CustomerChanges as Changes,
  ItemWrapperOfDealerProduct as Products,
  ItemWrapperOfServiceRequest as Tickets,
  ItemWrapperOfStore as Stores,
} from './orval-support'
${start}${lines.join('')}${typed}${end}`
  },
}

export const generators: readonly Generator[] = [openapiTypescript, heyApi, orval]
