// Writes the published types: one file for `import` and the same for `require`, without imports of other packages.
// Types that zod infers are generated from the schemas, so that each field keeps its description.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { generateDtsBundle } from 'dts-bundle-generator'
import { compile, type JSONSchema } from 'json-schema-to-typescript'
import ts from 'typescript'
import { parse } from 'yaml'
import * as z from 'zod'
import { readNames, readWorld, writeInterface } from './world-interface.ts'

const root = join(import.meta.dirname, '../..')
mkdirSync(join(root, 'dist/types'), { recursive: true })
const folder = mkdtempSync(join(root, 'dist/types-'))

const BUNDLED = ['index', 'tools/reference-clients/clients']
/** The types in this file are derived from the contract. The published file contains them written out. */
const WORLD = join(root, 'src/tools/client/world.ts')
const RUNNERS = ['vitest', 'jest', 'playwright', 'msw', 'testcontainers', 'test-worlds']

try {
  const program = openProgram()
  const written = new Set<string>()
  for (const entry of [...BUNDLED, ...RUNNERS.map((name) => `tools/testing/${name}`)]) {
    await writeDeclarations(program, join(root, `src/${entry}.ts`), written)
  }
  for (const source of written) await writeOut(source)
  const output = { noBanner: true, exportReferencedTypes: false }
  const preferredConfigPath = join(folder, 'tsconfig.json')
  // The declarations do not use any types of Node. Loading these types would take as long as everything else.
  const plain = {
    extends: join(import.meta.dirname, 'tsconfig.types.json'),
    compilerOptions: { types: [], lib: ['es2023', 'esnext.disposable', 'dom'] },
  }
  writeFileSync(preferredConfigPath, JSON.stringify(plain))
  const bundles = BUNDLED.map((entry) => ({ filePath: join(folder, `${entry}.d.ts`), output }))
  for (const [i, text] of generateDtsBundle(bundles, { preferredConfigPath }).entries())
    write(basename(BUNDLED[i]!), text)
  for (const name of RUNNERS) {
    write(name, readFileSync(join(folder, 'tools/testing', `${name}.d.ts`), 'utf8'))
  }
  write('documents', readFileSync(join(root, 'openapi/documents.d.ts'), 'utf8'))
  writeDescriptions()
} finally {
  rmSync(folder, { recursive: true })
}

/** Writes two files, one for `import` and one for `require`. Each imports other files of the same kind. */
function write(name: string, text: string): void {
  // Otherwise, users whose `lib` lacks `Symbol.asyncDispose` would get an error in the declarations.
  const whole = text.includes('asyncDispose') ? `/// <reference lib="esnext.disposable" />\n${text}` : text
  const [modules, common] = ['js', 'cjs'].map((kind) =>
    whole.replaceAll(/'(?:\.\.?\/)+([a-z-]+)\.ts'/g, (_, file: string) => `'./${file}.${kind}'`),
  )
  writeFileSync(join(root, 'dist/types', `${name}.d.ts`), modules!)
  writeFileSync(join(root, 'dist/types', `${name}.d.cts`), common!)
}

function writeDescriptions(): void {
  mkdirSync(join(root, 'dist/openapi'), { recursive: true })
  for (const name of ['support', 'events', 'wallet', 'stream', 'control']) {
    const description: unknown = parse(readFileSync(join(root, 'openapi', `${name}.yaml`), 'utf8'))
    writeFileSync(join(root, 'dist/openapi', `${name}.json`), JSON.stringify(description))
  }
}

function openProgram(): ts.Program {
  const { config } = ts.readConfigFile(join(import.meta.dirname, 'tsconfig.types.json'), ts.sys.readFile)
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, import.meta.dirname)
  // `npm run types` has already checked the sources.
  return ts.createProgram(fileNames, { ...options, outDir: folder, noCheck: true })
}

/** Writes the declarations of a module and of the modules that they import. */
async function writeDeclarations(program: ts.Program, source: string, met: Set<string>): Promise<void> {
  if (met.has(source)) return
  met.add(source)
  program.emit(program.getSourceFile(source), undefined, undefined, true)
  const path = declarationsOf(source)
  const emitted = withRelativeImports(readFileSync(path, 'utf8'), dirname(path))
  const text = source === WORLD ? await writeWorld(emitted) : emitted
  writeFileSync(path, text)
  for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
    if (fileName.startsWith('.')) await writeDeclarations(program, join(dirname(source), fileName), met)
  }
}

/** Writes the declarations of a world with its interface. Schemas without an exported type are declared next to it. */
async function writeWorld(emitted: string): Promise<string> {
  const nameOf = await readNames()
  const declared = new Map<string, Promise<string>>()
  const members = readWorld((schema, io, name) => {
    const found = nameOf(schema, io, name)
    if (found === name) declared.set(name, declare(name, io, schema))
    return found
  })
  const body = writeInterface(members)
  const imports = ['inputs', 'types'].map((file) => {
    const source = readFileSync(join(dirname(WORLD), `${file}.ts`), 'utf8')
    const exported = [...source.matchAll(/^export (?:interface|type) (?:\{([^}]+)\}|(\w+))/gm)]
    const names = exported.flatMap(([, list, name]) => name ?? list!.match(/\w+/g)!)
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(body))
    return `import type { ${used.join(', ')} } from './${file}.ts'\n`
  })
  const others = emitted.replaceAll(/^import .*\n/gm, '')
  const interfaces = (await Promise.all(declared.values())).map((text) => text.replaceAll(/^export /gm, ''))
  const [before = '', after = ''] = others.split(/export interface VendorCloudWorld .*?^}\n/ms)
  return [...imports, ...interfaces, before, `export interface VendorCloudWorld {\n${body}}\n`, after].join('')
}

/** The subpath imports of package.json would resolve to the sources, whose types require packages. */
function withRelativeImports(text: string, from: string): string {
  return text.replaceAll(/(?<=['"])#(?=(?:contract|server|tools)\/)/g, () => `${relative(from, folder) || '.'}/`)
}

function declarationsOf(source: string): string {
  return join(folder, relative(join(root, 'src'), source).replace(/\.ts$/, '.d.ts'))
}

/** Removes all references to zod from the declarations of a module. */
async function writeOut(source: string): Promise<void> {
  const path = declarationsOf(source)
  const text = readFileSync(path, 'utf8')
  if (!text.includes(`from 'zod'`)) return
  const schemas = (await import(source)) as Record<string, unknown>
  const written: string[] = []
  for (const statement of ts.createSourceFile(path, text, ts.ScriptTarget.Latest).statements) {
    const code = text.slice(statement.getFullStart(), statement.end)
    const [, name, side, schema] = /type (\w+) = .*\bz\.(infer|input|output)<typeof (\w+)>/.exec(code) ?? []
    if (name && schema) written.push(await declare(name, side === 'input' ? side : 'output', schemas[schema]))
    else if (!/\bz\.|from 'zod'/.test(code)) written.push(code)
  }
  writeFileSync(path, written.join('\n'))
}

/**
 * Returns an empty string if the module does not export the schema. If the type of such a schema is needed, the bundler
 * reports an error.
 */
async function declare(name: string, io: 'input' | 'output', schema: unknown): Promise<string> {
  if (!(schema instanceof z.ZodType)) return ''
  const json = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: toPlainSchema }) as JSONSchema
  return compile({ ...json, title: name }, name, {
    bannerComment: '',
    additionalProperties: false,
    format: false,
    // A list with a maximum length would become a union of tuples, one for each length.
    ignoreMinAndMaxItems: true,
  })
}

/**
 * A schema that accepts any value would otherwise be written as an object. References that exist only in OpenAPI would
 * not resolve.
 */
function toPlainSchema({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const kinds = ['type', 'anyOf', 'oneOf', 'allOf', 'enum', 'const', '$ref']
  if (!kinds.some((kind) => kind in jsonSchema)) jsonSchema['tsType'] = 'unknown'
  delete jsonSchema['openapi']
}
