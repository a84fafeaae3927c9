import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { layOutImage } from '../../../scripts/build/image.mjs'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '../../..')
/**
 * Maximum size in bytes. Counts the lengths of names and files, because layers of an image do not contain file system
 * blocks.
 */
const MOST = 25_000_000
const NOBODY = 65_534
let folder: string
let app: string

/** Lays out the image in a folder that all users can read and this process cannot change. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-image-'))
  chmodSync(folder, 0o755)
  app = join(folder, 'app')
  layOutImage(ROOT, app)
  for (const path of entriesOf(app)) chmodSync(path, lstatSync(path).isDirectory() ? 0o555 : 0o444)
})
afterAll(() => {
  for (const path of entriesOf(app)) if (lstatSync(path).isDirectory()) chmodSync(path, 0o755)
  rmSync(folder, { recursive: true })
})

const entriesOf = (root: string) => [
  root,
  ...readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name)),
]

const sizeOf = (root: string) => entriesOf(root).reduce((sum, path) => sum + lstatSync(path).size, 0)

const namesIn = (root: string) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => lstatSync(join(root, name)).isFile())

test('the image adds at most 25 MB to its base for each processor type', () => {
  expect(sizeOf(app)).toBeLessThanOrEqual(MOST)
  const other = join(makeTemporaryFolder(), 'app')
  layOutImage(ROOT, other, 'arm64')
  expect(sizeOf(other)).toBeLessThanOrEqual(MOST)
})

test.each([
  ['amd64', 'linux-x64', 0x3e],
  ['arm64', 'linux-arm64', 0xb7],
])('the image for %s contains one native binary, built for that processor', (processor, platform, machine) => {
  const other = join(makeTemporaryFolder(), 'app')
  layOutImage(ROOT, other, processor)
  const binaries = namesIn(other).filter((name) => name.endsWith('.node'))
  expect(binaries).toEqual([expect.stringContaining(`/prebuilds/${platform}/`)])
  expect(readFileSync(join(other, binaries[0]!)).readUInt16LE(18)).toBe(machine)
})

test('the image contains the database drivers with their dependencies and no other packages', () => {
  const modules = join(app, 'node_modules')
  const names = namesIn(modules).filter((name) => /^(@[^/]+\/)?[^/]+\/package\.json$/.test(name))
  const held = names.map((name) => name.replace(/\/package\.json$/, ''))
  expect(held).toEqual(expect.arrayContaining(['pg', 'pg-protocol', '@photostructure/sqlite']))
  const manifests = held.map((name) => readManifest(join(modules, name)))
  const required = new Set(['pg', '@photostructure/sqlite', ...manifests.flatMap(Object.keys)])
  // This package is only needed to compile the SQLite binary.
  required.delete('node-addon-api')
  expect(held.toSorted()).toEqual([...required].toSorted())
  expect(namesIn(app).filter((name) => /(\.d\.ts|\.map|\.png|\.stamp)$/.test(name))).toEqual([])
})

const readManifest = (path: string) =>
  (JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { dependencies?: object }).dependencies ?? {}

test('Dockerfile makes /data for volumes, owned by the user of the server', () => {
  const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').split('\n')
  expect(lines).toContain('COPY --from=build --chown=node:node /data /data')
  expect(lines).toContain('USER node')
})

test('Dockerfile and .dockerignore include every file that the image needs', () => {
  const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, names]) => names!.split(' '))
  const patterns = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  /** As in Docker, the last pattern that matches the path or one of its parent folders applies. */
  const isSent = (path: string) => {
    const above = path.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'))
    const last = patterns.findLast((line) => above.some((each) => toPattern(line.replace('!', '')).test(each)))
    return last?.startsWith('!') === true
  }
  const made = /^(dist|node_modules)\//
  const held = namesIn(app).filter((name) => !made.test(name))
  expect(held.length).toBeGreaterThan(80)
  expect(held.filter((name) => !copied.some((each) => name === each || name.startsWith(`${each}/`)))).toEqual([])
  expect(held.filter((name) => !isSent(name))).toEqual([])
  expect([isSent('test/README.md'), isSent('src/README.md'), isSent('docs/images/console.png')]).toEqual([
    false,
    false,
    false,
  ])
})

const toPattern = (line: string) =>
  new RegExp(
    `^${line.replaceAll('.', '\\.').replaceAll('**/', '<>').replaceAll('*', '[^/]*').replaceAll('<>', '(?:.*/)?')}$`,
  )

test('the image files are not written to a non-empty folder or for an unknown processor', () => {
  const full = makeTemporaryFolder()
  writeFileSync(join(full, 'kept'), '')
  expect(() => layOutImage(ROOT, full)).toThrow('is not empty')
  expect(readdirSync(full)).toEqual(['kept'])
  expect(() => layOutImage(ROOT, join(full, 'new'), 'riscv64')).toThrow('amd64 and arm64, not for riscv64')
})

test.each([
  ['in memory', false],
  ['on disk', true],
])('the image files start a server with records %s as an unprivileged user', async (_, keeps) => {
  const data = makeTemporaryFolder()
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  chmodSync(data, 0o700)
  if (user.uid !== undefined) chownSync(data, NOBODY, NOBODY)
  const env = { PATH: '', HOST: '127.0.0.1', PORT: '0', CONTROL: 'open', LOG_LEVEL: 'silent' }
  const server = spawn(process.execPath, ['dist/main.js'], {
    cwd: app,
    env: { ...env, ...(keeps && { DATA_DIR: join(data, 'records') }) },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  onTestFinished(() => void server.kill('SIGKILL'))
  let said = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk))
  await expect.poll(() => said).toMatch(/http:\/\/127\.0\.0\.1:\d+/)
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(said)!
  for (const path of ['/health/ready', '/docs/swagger-ui.css', '/_console', '/_control/status']) {
    expect([path, (await fetch(url + path)).status]).toEqual([path, 200])
  }
  const headers = { 'request-source': 'vendor.com' }
  const reply = await fetch(`${url}/stg/us/guest/zipCode?zipCode=07660`, { headers })
  expect(await reply.json()).toMatchObject({ city: 'Ridgefield Park' })
  expect(await findDeadLinks(url!, '/llms.txt')).toEqual([])
  server.kill('SIGTERM')
  expect((await once(server, 'exit'))[0]).toBe(0)
  if (keeps) expect(readdirSync(join(data, 'records'))).not.toEqual([])
})

/** Follows the links on the first page, and on all pages that can be reached from it. */
async function findDeadLinks(base: string, first: string): Promise<string[]> {
  const dead: string[] = []
  const paths = new Set([first])
  for (const path of paths) {
    const reply = await fetch(base + path)
    const text = await reply.text()
    if (reply.status !== 200) dead.push(path)
    else if (/\.(md|txt)$/.test(path)) {
      for (const [, to] of text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g))
        paths.add(new URL(to!, base + path).pathname)
    }
  }
  expect(paths.size).toBeGreaterThan(40)
  return dead
}
