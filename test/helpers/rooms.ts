import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import ts from 'typescript'

export interface SourceFile {
  /** From `src`, with slashes: `domain/tickets.ts`. */
  path: string
  text: string
}

const document = ['http', 'domain', 'ports', 'schemas', 'fastify', 'zod', 'node:']

/** Who may import whom: a room, and the rooms and packages it may use. A room may always use itself. */
const mayUse: Readonly<Record<string, readonly string[]>> = {
  schemas: ['zod', 'libphonenumber-js', 'fastest-levenshtein'],
  ports: ['schemas'],
  domain: ['ports', 'schemas'],
  cases: ['domain', 'ports', 'schemas', 'zod'],
  adapters: ['ports', 'schemas', 'node:', 'pg', 'ioredis', '@peculiar/x509', 'reflect-metadata'],
  http: [
    'domain',
    'ports',
    'schemas',
    'fastify',
    '@fastify/',
    'zod',
    'fast-json-stringify',
    'fastest-levenshtein',
    'pino',
    'prom-client',
    'node:',
  ],
  support: [...document, '@fastify/cookie', 'negotiator'],
  events: document,
  wallet: document,
  billing: [...document, 'fast-xml-parser'],
  control: [...document, 'cases'],
  console: ['cases', 'client', 'preact', 'qrcode-generator', 'schemas'],
  app: ['support', 'events', 'wallet', 'billing', 'control', 'http', 'ports', 'fastify'],
  config: ['zod'],
  seed: ['domain', 'ports', 'schemas', 'zod', 'node:'],
  runtime: ['adapters', 'config', 'seed', 'worlds', 'ports', 'schemas', 'node:'],
  worlds: ['adapters', 'config', 'seed', 'ports', 'schemas'],
  'package-files': ['node:'],
  server: ['runtime', 'app', 'config', 'package-files', 'seed', 'ports', 'fastify', 'node:'],
  commands: [
    'cases',
    'client',
    'examine',
    'schemas',
    'undici',
    'server',
    'package-files',
    'runtime',
    'app',
    'config',
    'ports',
    'close-with-grace',
    'pino',
    'node:',
  ],
  client: ['schemas'],
  clients: ['vendor-cloud', 'fast-xml-parser'],
  examine: ['client'],
  index: ['client', 'server', 'schemas', 'runtime', 'app', 'config', 'ports', 'node:'],
  runners: ['index', 'client', 'vitest', '@jest/globals', '@playwright/test', 'node:'],
  main: ['commands', 'node:'],
}

/** Every TypeScript file of a folder. */
export function readSources(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(`${folder}/${path}`, 'utf8') }))
}

/**
 * The imports that leave the rules of their room, as `domain/tickets.ts → node:fs`. Types and dynamic imports count
 * too.
 */
export function findForeignImports(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const room = roomOf(path)
    return importsOf(text)
      .filter((target) => !isAllowed(room, resolve(path, target)))
      .map((target) => `${path} → ${target}`)
  })
}

/** Files that import each other, on whatever way, each circle as its sorted paths. Types count too. */
export function findCirclesOfFiles(files: readonly SourceFile[]): string[][] {
  return findCircles(importGraph(files, (path) => path))
}

/** The same of a room's sub-rooms, `domain/dealer`, and of the files beside them: they use each other downwards. */
export function findCirclesOfSubRooms(files: readonly SourceFile[]): string[][] {
  const graph = importGraph(files, (path) => path.split('/').slice(0, 2).join('/'))
  for (const [from, targets] of graph)
    graph.set(
      from,
      targets.filter((target) => roomOf(target) === roomOf(from)),
    )
  return findCircles(graph)
}

type Graph = Map<string, readonly string[]>

/** What imports what, by the names that `nameOf` gives to paths. */
function importGraph(files: readonly SourceFile[], nameOf: (path: string) => string): Graph {
  const graph: Graph = new Map()
  for (const { path, text } of files) {
    const own = importsOf(text).filter((target) => target.startsWith('.'))
    const targets = own.map((target) => nameOf(posix.join(posix.dirname(path), target)))
    const name = nameOf(path)
    graph.set(
      name,
      [...new Set([...(graph.get(name) ?? []), ...targets])].filter((target) => target !== name),
    )
  }
  return graph
}

/** Names that reach each other: of each, the others that it reaches and that reach it. */
function findCircles(graph: Graph): string[][] {
  const reached = new Map([...graph.keys()].map((name) => [name, reachedFrom(graph, name)]))
  const circles = [...reached].flatMap(([name, targets]) => {
    if (!targets.has(name)) return []
    return [[...targets].filter((other) => reached.get(other)?.has(name)).sort()]
  })
  return [...new Map(circles.map((circle) => [circle.join(), circle])).values()]
}

function reachedFrom(graph: Graph, start: string): Set<string> {
  const reached = new Set<string>()
  const open = [start]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const target of graph.get(name) ?? []) {
      if (reached.has(target)) continue
      reached.add(target)
      open.push(target)
    }
  }
  return reached
}

/** What a file imports, in any form; a target that only running the code would tell is given as the code it is. */
function importsOf(text: string): string[] {
  const named = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)
  const computed = [...text.matchAll(/\bimport\((?:(?!['"`)])|`[^`]*\$\{)[^)\n]*\)?/g)].map(([code]) => code)
  return [...named, ...computed]
}

/** A room for files of ours, `../` for what lies outside `src`, the name of a package otherwise. */
function resolve(path: string, target: string): string {
  return target.startsWith('.') ? roomOf(posix.join(posix.dirname(path), target)) : target
}

function roomOf(path: string): string {
  return (path.split('/')[0] ?? path).replace(/\.tsx?$/, '')
}

function isAllowed(room: string, used: string): boolean {
  if (used === room) return true
  return (mayUse[room] ?? []).some((allowed) =>
    /[:/]$/.test(allowed) ? used.startsWith(allowed) : used === allowed || used.startsWith(`${allowed}/`),
  )
}
