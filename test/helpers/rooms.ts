import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import ts from 'typescript'

export interface SourceFile {
  /** From `src`, with slashes: `server/domain/tickets.ts`. */
  path: string
  text: string
}

const document = ['server/http', 'server/domain', 'server/ports', 'contract', 'fastify', 'zod', 'node:']

/**
 * Who may import whom: a room, and the rooms and packages it may use; `contract` stands for all rooms of that wing. A
 * room may always use itself. Nothing of `contract` uses another wing, nothing of `server` uses `tools`, and of `tools`
 * the runners alone use the library, as their users do.
 */
const mayUse: Readonly<Record<string, readonly string[]>> = {
  'contract/operation': ['contract/example', 'zod'],
  'contract/example': [],
  'contract/records': ['zod', 'libphonenumber-js', 'fastest-levenshtein'],
  'contract/documents': ['contract/operation', 'contract/records', 'zod'],
  'contract/control': ['contract/operation', 'contract/records', 'zod'],
  'contract/cases': ['contract/records', 'zod'],
  'server/ports': ['contract'],
  'server/domain': ['server/ports', 'contract'],
  'server/adapters': [
    'server/ports',
    'contract',
    'node:',
    'pg',
    'ioredis',
    '@peculiar/',
    'reflect-metadata',
    '@opentelemetry/',
  ],
  'server/http': [
    'server/domain',
    'server/ports',
    'contract',
    'fastify',
    '@fastify/',
    'zod',
    'fast-json-stringify',
    'fastest-levenshtein',
    'node:',
  ],
  'server/trace': [
    'server/http',
    'server/domain',
    'server/ports',
    'contract',
    'fastify',
    'pino',
    'prom-client',
    'zod',
    'node:',
  ],
  'server/chaos': ['server/http', 'server/domain', 'contract', 'fastify', 'negotiator', 'zod', 'node:'],
  'server/in-process': ['node:'],
  'server/streams': ['server/chaos', 'server/http', 'server/domain', 'fastify', 'node:'],
  'server/support': [...document, '@fastify/cookie', 'negotiator'],
  'server/events': [...document, 'server/chaos', 'server/streams'],
  'server/wallet': document,
  'server/billing': [...document, 'fast-xml-parser'],
  'server/control': [...document, 'server/trace', 'server/streams'],
  'server/pipeline': ['server/chaos', 'server/http', 'server/trace', 'server/ports', 'fastify'],
  'server/app': [
    'server/support',
    'server/events',
    'server/wallet',
    'server/billing',
    'server/control',
    'server/pipeline',
    'server/http',
    'server/trace',
    'server/ports',
    'fastify',
  ],
  'server/config': ['contract', 'zod'],
  'server/seed': ['server/domain', 'server/ports', 'contract', 'zod', 'yaml', 'node:'],
  'server/worlds': ['server/adapters', 'server/config', 'server/seed', 'server/ports', 'contract'],
  'server/runtime': [
    'server/adapters',
    'server/config',
    'server/seed',
    'server/worlds',
    'server/ports',
    'contract',
    'node:',
  ],
  'server/package-files': ['node:'],
  'server/server': [
    'server/runtime',
    'server/in-process',
    'server/app',
    'server/config',
    'server/control',
    'server/package-files',
    'server/seed',
    'server/ports',
    'contract',
    'fastify',
    'node:',
  ],
  'tools/control-client': ['contract', 'eventsource-parser'],
  'tools/examine': ['tools/control-client', 'contract'],
  'tools/story': ['contract'],
  'tools/compare': ['tools/cases', 'tools/control-client', 'contract', 'fast-xml-parser', 'undici', 'node:'],
  'tools/cases': ['tools/control-client', 'contract', 'eventsource-parser', 'undici', 'node:'],
  'tools/mcp': [
    'tools/control-client',
    'tools/story',
    'contract',
    '@modelcontextprotocol/server',
    'fastest-levenshtein',
    'zod',
  ],
  'tools/proxy': ['contract', 'eventsource-parser', 'undici', 'node:'],
  'tools/console': ['tools/cases', 'tools/control-client', 'tools/story', 'contract', 'preact', 'bwip-js'],
  'tools/reference-clients': ['vendor-cloud', 'fast-xml-parser'],
  'tools/runners': [
    'index',
    'tools/control-client',
    'vitest',
    '@jest/globals',
    '@playwright/test',
    'msw',
    'testcontainers',
    'node:',
  ],
  commands: [
    'contract',
    'server',
    'tools',
    '@modelcontextprotocol/server',
    'undici',
    'close-with-grace',
    'pino',
    'node:',
  ],
  index: ['commands', 'contract', 'server/config', 'server/server', 'tools/control-client', 'node:'],
  main: ['commands', 'node:'],
}

/** Every TypeScript file of a folder. */
export function readSources(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(`${folder}/${path}`, 'utf8') }))
}

/**
 * The imports that leave the rules of their room, as `server/domain/tickets.ts → node:fs`. Types and dynamic
 * imports count too.
 */
export function findForeignImports(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const room = roomOf(path)
    return importsOf(text)
      .filter((target) => !isAllowed(room, resolve(path, target)))
      .map((target) => `${path} → ${target}`)
  })
}

/** All that comes with a file when it runs: files and packages, over whatever imports; types do not come along. */
export function findValueImports(files: readonly SourceFile[], start: string): string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const met = new Set([start])
  for (const path of met) {
    for (const target of importsOf((texts.get(path) ?? '').replace(TYPES_ALONE, ''))) {
      met.add(target.startsWith('.') ? posix.join(posix.dirname(path), target) : target)
    }
  }
  return [...met].slice(1)
}

const TYPES_ALONE = /^(?:import|export) type [^']*'[^']*'/gm

/** Files that import each other, on whatever way, each circle as its sorted paths. Types count too. */
export function findCirclesOfFiles(files: readonly SourceFile[]): string[][] {
  return findCircles(importGraph(files, (path) => path))
}

/**
 * The same of a room's sub-rooms, `server/domain/dealer`, and of the files beside them: they use each other downwards.
 */
export function findCirclesOfSubRooms(files: readonly SourceFile[]): string[][] {
  const graph = importGraph(files, (path) => path.split('/').slice(0, 3).join('/'))
  for (const [from, targets] of graph)
    graph.set(
      from,
      targets.filter((target) => roomOf(target) === roomOf(from)),
    )
  return findCircles(graph)
}

/** Rooms of all wings that import each other. */
export function findCirclesOfRooms(files: readonly SourceFile[]): string[][] {
  return findCircles(importGraph(files, roomOf))
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

/** `commands`, `server/app` and `server/http`: files beside the rooms of a wing are rooms of their own. */
function roomOf(path: string): string {
  const [wing = '', room] = path.replace(/\.tsx?$/, '').split('/')
  return room === undefined || wing === 'commands' ? wing : `${wing}/${room}`
}

function isAllowed(room: string, used: string): boolean {
  if (used === room) return true
  return (mayUse[room] ?? []).some((allowed) =>
    /[:/]$/.test(allowed) ? used.startsWith(allowed) : used === allowed || used.startsWith(`${allowed}/`),
  )
}
