import { execFile } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { testedRunners } from './runners.ts'

const run = promisify(execFile)
const PROJECT = join(import.meta.dirname, '../../..')
let folder: string
let user: string
let warnings: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-package-'))
  user = join(folder, 'user')
  mkdirSync(user)
  writeFileSync(join(user, 'package.json'), '{"private": true}')
  const install = ['install', '--offline', '--ignore-scripts', '--engine-strict', '--no-audit', '--no-fund']
  // Runs npm as another user would: without the settings of this project, because these could cause warnings, and
  // without update notices.
  const others = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))
  const [userconfig, globalconfig] = ['user', 'global'].map((each) => join(folder, `no-settings-of-${each}`))
  const own = {
    npm_config_userconfig: userconfig,
    npm_config_globalconfig: globalconfig,
    npm_config_update_notifier: 'false',
  }
  const env = { ...Object.fromEntries(others), ...own, npm_config_cache: join(folder, 'cache') }
  warnings = (await run('npm', [...install, inject('tarball')], { cwd: user, env })).stderr
})

afterAll(() => rmSync(folder, { recursive: true }))

async function runFile(name: string, text: string): Promise<string> {
  writeFileSync(join(user, name), text)
  return (await run(process.execPath, [name], { cwd: user })).stdout
}

const libraries = new Map<string, ts.SourceFile | undefined>()

/** Compiles these files and returns the errors. The declarations of the platform are parsed only once. */
function compile(files: readonly string[], given: object): string[] {
  const { options, errors } = ts.convertCompilerOptionsFromJson(given, user)
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile
  host.getCurrentDirectory = () => user
  host.getSourceFile = (name, ...how) => {
    if (!/\/typescript\/lib\/lib\.[^/]+\.d\.ts$/.test(name)) return read(name, ...how)
    if (!libraries.has(name)) libraries.set(name, read(name, ...how))
    return libraries.get(name)
  }
  const names = files.map((name) => join(user, name))
  const found = [...errors, ...ts.getPreEmitDiagnostics(ts.createProgram(names, options, host))]
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

const USE = `const vendor = await startVendorCloud()
  const headers = { 'request-source': 'vendor.com' }
  const reply = await fetch(vendor.url + '/stg/us/guest/zipCode?zipCode=07660', { headers })
  const { city } = await reply.json()
  await vendor.stop()
  console.log(city)`

test('the package installs without warnings or other packages, and has at most 17.7 MB', async () => {
  expect(warnings).toBe('')
  expect(readdirSync(join(user, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['vendor-cloud'])
  const installed = readdirSync(join(user, 'node_modules'), { recursive: true, encoding: 'utf8' })
  const sizes = installed.map((name) => lstatSync(join(user, 'node_modules', name)).size)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(17_700_000)
})

test('every link in the pages of the package resolves to a file in the package', () => {
  const root = join(user, 'node_modules/vendor-cloud')
  const pages = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(md|txt)$/.test(name))
  expect(pages).toEqual(expect.arrayContaining(['README.md', join('docs', 'llms.txt'), join('docs', 'first-hour.md')]))
  const dead = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)|\bsrc="([^"]+)"/g)].map(
      ([, link, image]) => link ?? image!,
    )
    const local = links.filter((link) => !/^([a-z]+:|\/)/.test(link))
    return local.filter((link) => !existsSync(join(root, dirname(page), link))).map((link) => `${page}: ${link}`)
  })
  expect(dead).toEqual([])
})

test('the package contains the bill of materials and the licenses of bundled packages', () => {
  const dist = join(user, 'node_modules/vendor-cloud/dist')
  expect(JSON.parse(readFileSync(join(dist, 'sbom.cdx.json'), 'utf8'))).toMatchObject({ bomFormat: 'CycloneDX' })
  expect(readFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), 'utf8')).toContain('\nfastify 5.')
})

test('packing does not change the project', () => {
  const [before, after] = [PROJECT, join(dirname(inject('tarball')), 'copy')].map((each) =>
    readFileSync(join(each, 'package.json'), 'utf8'),
  )
  expect(after).toBe(before)
})

test('the library can be imported and required, and its server responds', async () => {
  expect(await runFile('module.mjs', `import { startVendorCloud } from 'vendor-cloud'\n${USE}`)).toBe(
    'Ridgefield Park\n',
  )
  const required = `const { startVendorCloud } = require('vendor-cloud')\n;(async () => {\n${USE}\n})()`
  expect(await runFile('common.cjs', required)).toBe('Ridgefield Park\n')
})

test('the command of the package prints its version', async () => {
  const { stdout } = await run(join(user, 'node_modules/.bin/vendor-cloud'), ['--version'])
  expect(stdout).toMatch(/^(vendor-cloud )?\d+\.\d+\.\d+\n$/)
})

test('doctor prints the command that installs a missing database driver', async () => {
  const env = { PATH: process.env['PATH'], PORT: '0', DATABASE_URL: 'postgres://me:s@127.0.0.1:1/none' }
  const asked = run(process.execPath, ['node_modules/vendor-cloud/dist/main.js', 'doctor'], { cwd: user, env })
  const { code, stdout } = (await asked.catch((error: unknown) => error)) as { code: number; stdout: string }
  expect([code, stdout]).toEqual([1, expect.stringMatching(/the package pg is not installed.*\n +npm install pg\n/)])
})

test.each([
  ['pg', { DATABASE_URL: 'postgres://localhost/none' }],
  ['@photostructure/sqlite', { DATA_DIR: 'data' }],
])(
  'starting without the package of the configured engine prints the command that installs it: %s',
  async (name, settings) => {
    const command = join(user, 'node_modules/.bin/vendor-cloud')
    const env = { ...process.env, ...settings, PORT: '0' }
    const stderr = expect.stringMatching(new RegExp(`npm i(nstall)? ${name}`))
    await expect(run(command, [], { env, cwd: folder })).rejects.toMatchObject({ stderr })
    // An empty data file would make the next start fail.
    expect(existsSync(join(folder, 'data/vendor-cloud.db'))).toBe(false)
  },
)

test('with its driver installed, the disk engine works by import and by require', async () => {
  symlinkSync(join(PROJECT, 'node_modules/@photostructure'), join(user, 'node_modules/@photostructure'))
  const use = USE.replace('startVendorCloud()', `startVendorCloud({ settings: { DATA_DIR: 'data' } })`)
  const module = `import { startVendorCloud } from 'vendor-cloud'\n${use}`
  expect(await runFile('disk.mjs', module)).toBe('Ridgefield Park\n')
  const required = `const { startVendorCloud } = require('vendor-cloud')\n;(async () => {\n${use}\n})()`
  expect(await runFile('disk.cjs', required)).toBe('Ridgefield Park\n')
})

test.each([
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
])(
  'the library types compile in ES modules and CommonJS with module %s and resolution %s',
  (module, moduleResolution) => {
    const text = `import { startVendorCloud, type FaultDraft, type VendorCloud } from 'vendor-cloud'
export const fault: FaultDraft = { match: { operation: 30 }, respond: { status: 503 } }
export const start: () => Promise<VendorCloud> = () => startVendorCloud({ settings: { HEARTBEAT_SECONDS: '1' } })
// @ts-expect-error a misspelt option
void startVendorCloud({ sede: 'x' })\n`
    for (const name of ['types.mts', 'types.cts']) writeFileSync(join(user, name), text)
    const options = {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      skipDefaultLibCheck: true,
      noEmit: true,
      types: [],
    }
    const compilerOptions = {
      ...options,
      target: 'es2023',
      lib: ['es2023'],
      module,
      moduleResolution,
    }
    expect(compile(['types.mts', 'types.cts'], compilerOptions)).toEqual([])
  },
)

test.each(testedRunners)(
  'a failed test with $name leaves a journal, a page and a case that replays',
  async (runner) => {
    const { file, text, run: words, says } = runner
    const modules = join(user, 'node_modules')
    for (const name of ['vitest', '@playwright']) {
      if (!existsSync(join(modules, name))) symlinkSync(join(PROJECT, 'node_modules', name), join(modules, name))
    }
    mkdirSync(join(user, dirname(file)), { recursive: true })
    writeFileSync(join(user, file), text)
    rmSync(join(user, 'failed-cases'), { recursive: true, force: true })
    const [program, ...args] = words
    const env = {
      ...process.env,
      NO_COLOR: '1',
      VITEST: undefined,
      VITEST_MODE: undefined,
      VITEST_WORKER_ID: undefined,
    }
    const ended = run(process.execPath, [join(PROJECT, 'node_modules', program!), ...args], { cwd: user, env })
    const { stdout, stderr } = await ended.then(
      () => expect.fail('the failing test passed'),
      (error: { stdout: string; stderr: string }) => error,
    )
    const output = stdout + stderr
    expect(output).toMatch(says)
    expect(output).toMatch(
      /the city is another" failed\. Its journal:\n.*GET +\/stg\/us\/guest\/zipCode\?zipCode=1 +400/,
    )
    const [page, saved, ...others] = readdirSync(join(user, 'failed-cases')).sort()
    expect(others).toEqual([])
    expect(page).toBe(saved?.replace(/\.jsonl$/, '.html'))
    expect(output).toContain(page)
    expect(readFileSync(join(user, 'failed-cases', page!), 'utf8')).toContain('zipCode=1')
    expect(saved).toMatch(/city-.*the-city-is-another(?:-[0-9a-f]{6})?\.jsonl$/)
    const command = join(user, 'node_modules/.bin/vendor-cloud')
    expect((await run(command, ['replay', join('failed-cases', saved!)], { cwd: user })).stdout).toContain('the same')
  },
)

test.each([
  ['nodenext', ['runners.mts', 'runners.cts'], { module: 'nodenext' }],
  // For CommonJS, older compilers use these settings by default.
  ['node10', ['runners.ts'], { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' }],
])('the types of the library, the test runners and the APIs compile with resolution %s', (_, names, resolution) => {
  for (const name of ['vitest', '@playwright']) expect(existsSync(join(user, 'node_modules', name))).toBe(true)
  const text = `import { createTest as forVitest } from 'vendor-cloud/vitest'
import { createTest as forJest } from 'vendor-cloud/jest'
import { createTest as forPlaywright } from 'vendor-cloud/playwright'
import type { VendorCloudWorld } from 'vendor-cloud'
import type { GetDealerTicketsReply, GetGuestZipCodeReply, PostDealerCustomersRequest } from 'vendor-cloud/types'
import { createSupportClient } from 'vendor-cloud/clients'
for (const create of [forVitest, forJest, forPlaywright]) {
  const test = create({ server: { seed: 'any' }, world: { frozen: true }, cases: false })
  test('a world', async ({ world }: { world: VendorCloudWorld }) => void (await world.clock.advance('P1D')))
}
export const city = ({ city }: GetGuestZipCodeReply): string => city
export const statuses = ({ items }: GetDealerTicketsReply): string[] => items.map(({ status }) => status)
export const name = ({ lastName }: PostDealerCustomersRequest): string => lastName
const support = createSupportClient({ url: '', source: 'vendor.com' })
export const town = async (): Promise<string> => (await support.call('GET /stg/us/guest/zipCode', { zipCode: '' })).city
// @ts-expect-error a misspelt option
forVitest({ wrold: {} })\n`
  for (const name of names) writeFileSync(join(user, name), text)
  const options = { strict: true, skipLibCheck: true, noEmit: true, types: [], target: 'es2023' }
  const compilerOptions = { ...options, lib: ['es2023', 'dom'], ...resolution }
  expect(compile(names, compilerOptions)).toEqual([])
})

test('every public field of the library types has a description', () => {
  const file = join(user, 'node_modules/vendor-cloud/dist/types/index.d.ts')
  const bare: string[] = []
  const visit = (node: ts.Node, owner: string): void => {
    const isField = ts.isPropertySignature(node) || ts.isMethodSignature(node) || ts.isPropertyDeclaration(node)
    const name = isField || ts.isInterfaceDeclaration(node) ? `${owner}.${node.name.getText()}` : owner
    if (isField && ts.getJSDocCommentsAndTags(node).length === 0) bare.push(name)
    // Skips these two types, because they belong to the platform.
    if (!ts.isTypeAliasDeclaration(node) || !['Fetch', 'Signal'].includes(node.name.text)) {
      ts.forEachChild(node, (child) => visit(child, name))
    }
  }
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true), '')
  expect(bare).toEqual([])
})

test('the OpenAPI descriptions can be imported as JSON', async () => {
  const use = `import support from 'vendor-cloud/openapi/support.json' with { type: 'json' }
    console.log(support.openapi, Object.keys(support.paths).length)`
  expect(await runFile('openapi.mjs', use)).toMatch(/^3\.1\.\d \d+\n$/)
})
