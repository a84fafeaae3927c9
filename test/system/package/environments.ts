import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { readBlocks } from '../../helpers/pages.ts'

/**
 * For `typed`, the runner checks the types of TypeScript code and compiles the code to CommonJS. For `ts`, the runner
 * only removes the types.
 */
type Format = 'ts' | 'mjs' | 'cjs' | 'typed'

export const FAILING = 'fails on purpose'

export interface Runner {
  name: string
  entry: 'vitest' | 'jest'
  /** The packages to install in a separate folder, with their exact versions. */
  packages: readonly string[]
  /** Names of test environments, as used in the comment at the start of a test file. */
  environments: readonly string[]
  formats: readonly Format[]
  /** Version of Node. Default: the version that runs this test. */
  node?: string
}

const JEST = ['node', 'jsdom', '@happy-dom/jest-environment']
const VITEST = ['node', 'jsdom', 'happy-dom']
const NODE_24 = '24.22.3'

export const runners: readonly Runner[] = [
  {
    name: 'Vitest 3.2',
    entry: 'vitest',
    packages: ['vitest@3.2.7', 'jsdom@26.1.0', 'happy-dom@18.0.1', 'msw@2.15.0'],
    environments: VITEST,
    formats: ['ts'],
  },
  {
    name: 'Vitest 4.1',
    entry: 'vitest',
    packages: ['vitest@4.1.12', 'jsdom@27.4.0', 'happy-dom@20.14.5', 'msw@2.15.0'],
    environments: VITEST,
    formats: ['ts'],
  },
  {
    name: 'Vitest 5.1 with Node 24',
    entry: 'vitest',
    packages: ['vitest@5.1.2', 'jsdom@31.0.1', 'happy-dom@21.0.4', 'msw@2.15.0'],
    environments: VITEST,
    formats: ['ts'],
    node: NODE_24,
  },
  {
    name: 'Jest 29.7',
    entry: 'jest',
    packages: ['jest@29.7.0', 'jest-environment-jsdom@29.7.0', '@happy-dom/jest-environment@20.14.5'],
    environments: JEST,
    formats: ['mjs', 'cjs'],
  },
  {
    name: 'Jest 30.5',
    entry: 'jest',
    packages: ['jest@30.5.2', 'jest-environment-jsdom@30.5.2', '@happy-dom/jest-environment@20.14.5'],
    environments: JEST,
    formats: ['mjs', 'cjs'],
  },
  {
    name: 'Jest 30.5 with Node 24 and TypeScript',
    entry: 'jest',
    packages: ['jest@30.5.2', 'ts-jest@29.4.15', 'typescript@5.9.3', '@types/node@20.19.43'],
    environments: ['node'],
    formats: ['cjs', 'typed'],
    node: NODE_24,
  },
]

/** Jest's jsdom has no `fetch`. The client under test therefore uses XMLHttpRequest, as a page would. */
const fetchOfPages = `
globalThis.fetch ??= (url, { headers = {} } = {}) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('GET', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, String(value))
    request.onload = () => resolve({ status: request.status, json: async () => JSON.parse(request.responseText) })
    request.onerror = () => reject(new TypeError('fetch failed'))
    request.send()
  })
`

const more = `
import { expect } from 'vitest'
import { connectVendorCloud, openVendorCloud, startVendorCloud } from 'vendor-cloud'
import { test } from 'vendor-cloud/vitest'

const headers = { 'request-source': 'vendor.com' }
const ZIP = '/stg/us/guest/zipCode?zipCode=07660'
const bearer = { authorization: 'Bearer token-home' }
const filters = JSON.stringify({ subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] })

test('a world is asked by address, URL and Request', async ({ world }) => {
  const { signal } = new AbortController()
  expect((await world.fetch(ZIP, { headers, signal })).status).toBe(200)
  expect((await world.fetch(new URL(world.url + ZIP), { headers })).status).toBe(200)
  if (typeof Request === 'undefined') return
  const request = new Request('https://support.vendor.example' + ZIP, { headers, signal })
  expect((await (await world.fetch(request)).json()).city).toBe('Ridgefield Park')
})

test('an image of a form is uploaded', async ({ world }) => {
  const form = new FormData()
  form.set('imageFile', new Blob(['GIF89aAAAA   ,AAAAAAAA \\t;'], { type: 'image/gif' }), 'screen.gif')
  const path = '/stg/us/guest/serviceRequest/asset/symptomImage?srid=4100000017'
  const reply = await world.fetch(path, { method: 'POST', headers, body: form })
  expect([reply.status, await reply.text()]).toEqual([200, expect.anything()])
})

test('a stream is read until its signal aborts', async ({ world }) => {
  const plan = { method: 'POST', headers: bearer, body: filters }
  const { registrationUrl } = await (await world.fetch('/subscriptions', plan)).json()
  const controller = new AbortController()
  const reader = (await world.fetch(registrationUrl, { signal: controller.signal })).body.getReader()
  expect(Buffer.from((await reader.read()).value).toString()).toContain('welcome')
  const ended = reader.read()
  controller.abort()
  await expect(ended).rejects.toMatchObject({ name: 'AbortError' })
})

test('the journal is watched, and a wrong call rejected', async ({ world }) => {
  const { signal } = new AbortController()
  for await (const { event } of world.watch(signal)) {
    expect(event).toBe('clock')
    break
  }
  await expect(world.control('GET', 'nowhere')).rejects.toMatchObject({ name: 'ControlError', status: 404 })
})

test('a snapshot is restored', async ({ world }) => {
  await world.restore(await world.snapshot())
  expect((await world.records.get('stores', 'C100-101')).storeId).toBe('C100-101')
})

test('the library starts, opens and connects', async () => {
  const cloud = await startVendorCloud()
  const world = await connectVendorCloud(cloud.url, cloud.controlKey).world('mine')
  expect((await world.fetch(ZIP, { headers })).status).toBe(200)
  process.env.VENDOR_CLOUD_URL = cloud.url
  const opened = await openVendorCloud()
  delete process.env.VENDOR_CLOUD_URL
  expect(opened.url).toBe(cloud.url)
  expect((await (await opened.world()).fetch(ZIP, { headers })).status).toBe(200)
  await opened.stop()
  await cloud.stop()
})

test('a server without a port answers', async () => {
  const cloud = await startVendorCloud({ port: false })
  expect((await cloud.fetch(ZIP, { headers })).status).toBe(200)
  await cloud.stop()
})

test('fails on purpose', async ({ world }) => {
  expect((await world.fetch('/stg/us/guest/zipCode?zipCode=1', { headers })).status).toBe(200)
})
`

const blocks = readBlocks('docs/test-runners.md')

function blockWith(words: string): string {
  const found = blocks.find(({ text, file, language }) => file === words || (language === 'js' && text.includes(words)))
  if (!found) throw new Error(`docs/test-runners.md has no block with ${words}`)
  return found.text
}

function mswTest(): string {
  const [imports, body] = blockWith('vendor-cloud/msw').split('\n\n') as [string, string]
  return `import { expect, test } from 'vitest'
${imports}
test('MSW answers from the server', async () => {
${body.replace('await fetch(', 'const reply = await fetch(')}
expect((await reply.json()).city).toBe('Ridgefield Park')
await cloud.stop()
})
`
}

const JEST_CONFIG = {
  testMatch: ['**/*.test.*'],
  moduleFileExtensions: ['js', 'mjs', 'cjs', 'ts', 'json', 'node'],
  transform: {},
}
const TYPED_TRANSFORM = { '\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json' }] }
/** Many projects do not set `moduleResolution`, so its value is `node10`. */
const TYPED_CONFIG = { compilerOptions: { module: 'commonjs', target: 'es2022', strict: true, types: ['node'] } }

/** Writes one file for each environment and format. Each file imports the tests. Returns the names of these files. */
export function writeProject(folder: string, { entry, environments, formats }: Runner): string[] {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const isTyped = formats.includes('typed')
  if (entry === 'jest') {
    write('jest.config.json', JSON.stringify({ ...JEST_CONFIG, ...(isTyped && { transform: TYPED_TRANSFORM }) }))
  }
  if (isTyped) write('tsconfig.json', JSON.stringify(TYPED_CONFIG))
  return formats.flatMap((format) => {
    const extension = format === 'typed' ? 'ts' : format
    const files: Record<string, string> = {
      'client-under-test': blockWith('client-under-test.ts'),
      retry: blockWith('retry.test.ts'),
      visit: blockWith('visit.test.ts'),
      ...(format === 'cjs' && { jest: blockWith('vendor-cloud/jest') }),
      // These files contain no types.
      ...(format !== 'typed' && { 'fetch-of-pages': fetchOfPages, more }),
      // Jest requires additional settings to load the modules of MSW.
      ...(entry === 'vitest' && { msw: mswTest() }),
    }
    mkdirSync(join(folder, format))
    for (const [name, text] of Object.entries(files)) {
      write(`${format}/${name}.${extension}`, convert(text, entry, format))
    }
    return environments.map((environment) => {
      const imported = Object.keys(files).filter((name) => name !== 'client-under-test')
      const imports = imported.map((name) => `import './${name}.ts'\n`).join('')
      const name = `${format}/${environment.replace(/^@|\/.*/g, '')}.test.${extension}`
      write(name, `/** @${entry}-environment ${environment} */\n${convert(imports, entry, format)}`)
      return name
    })
  })
}

/** Replaces imports of Vitest with imports of the runner. If the runner does not support types, removes the types. */
function convert(text: string, entry: Runner['entry'], format: Format): string {
  if (entry === 'vitest') return text
  const own = text
    .replaceAll(`'vendor-cloud/vitest'`, `'vendor-cloud/jest'`)
    .replaceAll(`'vitest'`, `'@jest/globals'`)
    .replaceAll(/'(\.\/.*)\.ts'/g, format === 'typed' ? `'$1'` : `'$1.${format}'`)
  if (format === 'typed') return own
  const module = format === 'cjs' ? ts.ModuleKind.CommonJS : ts.ModuleKind.ESNext
  return ts.transpileModule(own, { compilerOptions: { module, target: ts.ScriptTarget.ES2023 } }).outputText
}
