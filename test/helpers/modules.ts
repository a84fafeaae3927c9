import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { parseAst } from 'vitest/node'

export interface SourceFile {
  /** Path relative to `src` with forward slashes, such as `server/domain/tickets.ts`. */
  path: string
  text: string
}

const document = ['server/http', 'server/domain', 'server/ports', 'contract', 'fastify', 'zod', 'node:']

/**
 * Which imports each module may contain. An entry `contract` allows all modules in `contract`. Each module may import
 * itself. `contract` must not import another layer, and `server` must not import `tools`. In `tools`, only the test
 * runners import the library, as users of the runners do.
 */
const mayUse: Readonly<Record<string, readonly string[]>> = {
  'contract/operation': ['contract/example', 'zod'],
  'contract/example': [],
  'contract/bodies': ['contract/charsets', 'contract/exchange', 'contract/records', 'node:'],
  'contract/charsets': ['contract/exchange', 'contract/records'],
  'contract/exchange': ['zod'],
  'contract/records': ['zod', 'libphonenumber-js', 'fastest-levenshtein'],
  'contract/rules': ['contract/records', 'zod'],
  'contract/documents': ['contract/operation', 'contract/records', 'zod'],
  'contract/control': ['contract/operation', 'contract/records', 'zod'],
  'contract/files': ['contract/charsets', 'contract/exchange', 'contract/records', 'fast-xml-parser', 'zod'],
  'contract/redaction': ['contract/exchange', 'contract/files', 'contract/records'],
  'server/ports': ['contract'],
  'server/domain': ['server/ports', 'contract'],
  'server/adapters': ['server/ports', 'contract', 'node:', 'pg', '@peculiar/', 'reflect-metadata', '@opentelemetry/'],
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
  'server/chaos': ['server/http', 'server/domain', 'server/ports', 'contract', 'fastify', 'negotiator', 'zod', 'node:'],
  'server/journal': [
    'server/chaos',
    'server/http',
    'server/domain',
    'server/ports',
    'contract',
    'fastify',
    'zod',
    'node:',
  ],
  'server/recording': [
    'server/journal',
    'server/http',
    'server/domain',
    'server/ports',
    'contract',
    'fastify',
    'node:',
  ],
  'server/telemetry': [
    'server/recording',
    'server/journal',
    'server/http',
    'server/domain',
    'server/ports',
    'contract',
    'fastify',
    'prom-client',
    'node:',
  ],
  'server/in-process': ['node:'],
  'server/streams': ['server/chaos', 'server/http', 'server/domain', 'fastify', 'node:'],
  'server/support': [...document, '@fastify/cookie', 'negotiator'],
  'server/events': [...document, 'server/chaos', 'server/streams'],
  'server/wallet': document,
  'server/billing': [...document, 'fast-xml-parser'],
  'server/control': [...document, 'server/chaos', 'server/journal', 'server/recording', 'server/streams'],
  'server/pipeline': [
    'server/chaos',
    'server/http',
    'server/journal',
    'server/recording',
    'server/telemetry',
    'server/ports',
    'fastify',
  ],
  'server/app': [
    'server/support',
    'server/events',
    'server/wallet',
    'server/billing',
    'server/control',
    'server/pipeline',
    'server/http',
    'server/telemetry',
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
  'tools/client': ['contract', 'eventsource-parser'],
  'tools/examine': ['tools/client', 'contract'],
  'tools/compare': ['tools/cases', 'tools/client', 'contract', 'undici', 'node:'],
  'tools/cases': ['tools/client', 'contract', 'eventsource-parser', 'fast-xml-parser', 'undici', 'node:'],
  'tools/mcp': ['tools/client', 'contract', '@modelcontextprotocol/server', 'fastest-levenshtein', 'zod'],
  'tools/proxy': ['tools/cases', 'tools/compare', 'contract', 'eventsource-parser', 'undici', 'node:'],
  'tools/console': ['tools/cases', 'tools/client', 'contract', 'preact', 'diff', '@bwip-js/browser', '@noble/hashes'],
  'tools/reference-clients': ['vendor-cloud', 'eventsource-parser', 'fast-xml-parser'],
  'tools/testing': [
    'index',
    'tools/client',
    'vitest',
    '@jest/globals',
    '@playwright/test',
    'msw',
    'testcontainers',
    'node:',
  ],
  cli: [
    'commander',
    'contract',
    'server',
    'tools',
    '@modelcontextprotocol/server',
    'undici',
    'close-with-grace',
    'pino',
    'node:',
  ],
  index: ['cli', 'contract', 'server/config', 'server/server', 'tools/client', 'node:'],
  main: ['cli', 'node:'],
}

export function readSources(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(`${folder}/${path}`, 'utf8') }))
}

/** Includes type imports and dynamic imports. Each result has the form `server/domain/tickets.ts → node:fs`. */
export function findForeignImports(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const room = moduleOf(path)
    return importsOf(path, text)
      .filter((target) => !isAllowed(room, resolve(path, target)))
      .map((target) => `${path} → ${target}`)
  })
}

const LAYERS = ['contract', 'server', 'tools']

/** Returns imports that refer to another layer or go up two folders but do not start with `#`. */
export function findClimbingImports(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    importsOf(path, text)
      .filter((target) => target.startsWith('../'))
      .filter((target) => {
        const layer = posix.join(posix.dirname(path), target).split('/')[0]!
        return LAYERS.includes(layer) && (target.startsWith('../../') || layer !== path.split('/')[0])
      })
      .map((target) => `${path} → ${target}`),
  )
}

/** Excludes type imports, because these are not loaded at run time. */
export function findValueImports(files: readonly SourceFile[], start: string): string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const met = new Set([start])
  for (const path of met) {
    for (const target of importsOf(path, texts.get(path) ?? '', false)) {
      met.add(pathOf(path, target) ?? target)
    }
  }
  return [...met].slice(1)
}

/** Includes type imports. Each cycle is returned as a sorted list of paths. */
export function findCirclesOfFiles(files: readonly SourceFile[]): string[][] {
  return findCircles(importGraph(files, (path) => path))
}

export function findFolderCycles(files: readonly SourceFile[]): string[][] {
  const graph = importGraph(files, (path) => path.split('/').slice(0, 3).join('/'))
  for (const [from, targets] of graph)
    graph.set(
      from,
      targets.filter((target) => moduleOf(target) === moduleOf(from)),
    )
  return findCircles(graph)
}

export function findImportCycles(files: readonly SourceFile[]): string[][] {
  return findCircles(importGraph(files, moduleOf))
}

type Graph = Map<string, readonly string[]>

/** Returns a graph of imports. By default, the nodes of the graph are file paths. */
export function importGraph(files: readonly SourceFile[], nameOf: (path: string) => string = (path) => path): Graph {
  const graph: Graph = new Map()
  for (const { path, text } of files) {
    const targets = importsOf(path, text).flatMap((target) => {
      const imported = pathOf(path, target)
      return imported === undefined ? [] : [nameOf(imported)]
    })
    const name = nameOf(path)
    graph.set(
      name,
      [...new Set([...(graph.get(name) ?? []), ...targets])].filter((target) => target !== name),
    )
  }
  return graph
}

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

/** An import with a computed path is returned as code, so that it is not overlooked. */
function importsOf(path: string, text: string, withTypes = true): string[] {
  const named = sourcesIn(parseAst(text, { lang: path.endsWith('.tsx') ? 'tsx' : 'ts' }), withTypes)
  const computed = [...text.matchAll(/\bimport\((?:(?!['"`)])|`[^`]*\$\{)[^)\n]*\)?/g)].map(([code]) => code)
  return [...named, ...computed]
}

function sourcesIn(tree: object, withTypes: boolean): string[] {
  if (!withTypes && isOfTypes(tree as { type?: string; importKind?: string; exportKind?: string })) return []
  const source = 'source' in tree ? (tree.source as { value?: unknown; expressions?: []; quasis: Quasi[] }) : undefined
  const text = source?.expressions?.length === 0 ? source.quasis[0]!.value.cooked : source?.value
  const children = Object.values(tree).filter((child) => child instanceof Object)
  const below = children.flatMap((child: object) => sourcesIn(child, withTypes))
  return typeof text === 'string' ? [text, ...below] : below
}

interface Quasi {
  value: { cooked: string }
}

function isOfTypes({ type, importKind, exportKind }: { type?: string; importKind?: string; exportKind?: string }) {
  return type === 'TSImportType' || importKind === 'type' || exportKind === 'type'
}

/** Returns the path in `src` of a relative or subpath import (`#contract/...`), or undefined for a package. */
function pathOf(path: string, target: string): string | undefined {
  if (target.startsWith('#')) return target.slice(1)
  return target.startsWith('.') ? posix.join(posix.dirname(path), target) : undefined
}

/** Returns the module of a file in `src`, `../` for a file outside of it, or the name of a package. */
function resolve(path: string, target: string): string {
  const imported = pathOf(path, target)
  return imported === undefined ? target : moduleOf(imported)
}

/** A file directly in the folder of a layer, such as `server/app`, counts as a separate module. */
function moduleOf(path: string): string {
  const [wing = '', room] = path.replace(/\.tsx?$/, '').split('/')
  return room === undefined || wing === 'cli' ? wing : `${wing}/${room}`
}

function isAllowed(room: string, used: string): boolean {
  if (used === room) return true
  return (mayUse[room] ?? []).some((allowed) =>
    /[:/]$/.test(allowed) ? used.startsWith(allowed) : used === allowed || used.startsWith(`${allowed}/`),
  )
}
