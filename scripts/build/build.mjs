// Bundles `src` into `dist`, so that the process reads a few files instead of thousands. This halves its startup time.
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import { bundledPackages, billOfMaterials } from './bill-of-materials.mjs'
import { renderPages } from './pages.mjs'
import { SERVED_ONLY, stampFile, stampOf } from './stamp.mjs'

/**
 * Packages that are not bundled: a database driver has its own binaries, and users install the test runners that they
 * use.
 */
const EXTERNAL = ['pg', 'vitest', '@jest/globals', '@playwright/test', 'msw', 'testcontainers']

/** The entry points of each test runner, for `import` or `require`. */
const RUNNERS = ['vitest', 'jest', 'playwright', 'msw', 'testcontainers'].map((name) => ({
  in: `src/tools/testing/${name}.ts`,
  out: `testing/${name}`,
}))

/** The reference clients are bundled into one file, so that a web page can load them. */
const CLIENTS = { in: 'src/tools/reference-clients/clients.ts', out: 'clients/clients' }

/** The files that a Swagger UI page loads. The other files in the package are variants of these. */
const DOCS = ['swagger-ui-bundle.js', 'swagger-ui.css']

/** CommonJS packages call `require`, which ES modules do not have. The long name avoids collisions. */
const REQUIRE = `import { createRequire as vendorCloudCreateRequire } from 'node:module'
const require = vendorCloudCreateRequire(import.meta.url)`

/** Removes unused code of packages, which would make every start about 10% slower. */
const withoutUnused = {
  name: 'without-unused',
  setup({ onLoad }) {
    // Translations of zod's error messages, which are not used.
    onLoad({ filter: /zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, ({ path }) => ({
      contents: `export { default as en } from './en.js'`,
      resolveDir: dirname(path),
    }))
    // @fastify/static uses this package to list folders, but our files are named individually.
    onLoad({ filter: /glob[/\\]dist[/\\]commonjs[/\\]index\.min\.js$/ }, () => ({
      contents: 'exports.glob = undefined',
    }))
    // The Model Context Protocol library uses this package to validate user input. This server never requests user
    // input.
    onLoad({ filter: /@modelcontextprotocol[/\\]server[/\\]dist[/\\]ajvProvider-[^/\\]+\.mjs$/ }, () => ({
      contents: 'export class n {}',
    }))
    // Fastify's JSON schema compilers are replaced with custom ones, and its in-memory requests are only used in tests.
    onLoad({ filter: /@fastify[/\\](ajv|fast-json-stringify)-compiler[/\\]index\.js$/ }, () => ({
      contents: 'module.exports = () => undefined',
    }))
    onLoad({ filter: /light-my-request[/\\]index\.js$/ }, () => ({ contents: '' }))
    // This module writes serializers as source code, which is not needed here.
    onLoad({ filter: /fast-json-stringify[/\\]lib[/\\]standalone\.js$/ }, () => ({ contents: '' }))
    // MIME types of files that are never served.
    onLoad({ filter: /mime[/\\]types[/\\]other\.js$/ }, () => ({ contents: '' }))
  },
}

/**
 * Uses the ES modules of these packages, because a bundle then contains only the parts that are used. The CommonJS
 * modules would be five times as large.
 */
const openTelemetry = Object.fromEntries(
  ['core', 'exporter-trace-otlp-http', 'otlp-transformer', 'resources', 'sdk-trace'].map((name) => [
    `@opentelemetry/${name}`,
    `@opentelemetry/${name}/build/esm/index.js`,
  ]),
)
openTelemetry['@opentelemetry/sdk-trace-base'] = '@opentelemetry/sdk-trace-base/build/esm/index-shim.js'

/** Settings for bundling code for Node. The benchmarks use them too. */
export const serverBundle = {
  // Chunks are in the same folder as the entry points, so `import.meta.dirname` is `dist` in every module.
  chunkNames: 'chunk-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: EXTERNAL,
  // Names are preserved for stack traces. Without white space, the package is a quarter smaller.
  minifyWhitespace: true,
  minifySyntax: true,
  // With its CommonJS module, a bundled `import()` would return only a default export.
  alias: { '@peculiar/x509': '@peculiar/x509/build/x509.es.js', ...openTelemetry },
  plugins: [withoutUnused],
  banner: { js: REQUIRE },
  logLevel: 'warning',
}

/**
 * Builds `dist`, or only the part that `npm start` runs: the command line and the console. Returns whether the build
 * succeeded. Nothing is written unless everything compiles.
 */
export async function build(root, { servedOnly = false } = {}) {
  const stamp = stampOf(root)
  const results = await compile(root, servedOnly ? SERVED : [...SERVED, ...PACKAGED])
  if (!results) return false
  const dist = join(root, 'dist')
  rmSync(dist, { recursive: true, force: true })
  for (const { path, contents } of results.flatMap(({ outputFiles }) => outputFiles)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, contents)
  }
  const library = join(dist, 'index.cjs')
  if (existsSync(library)) writeFileSync(join(dist, 'index.js'), importLibrary(readFileSync(library, 'utf8')))
  copyThread(root, dist)
  copyDocs(root, dist)
  copyConsole(root, dist)
  writeThirdParties(root, results)
  // npm makes the command executable only when it installs the package, but `npx --no vendor-cloud` must also work
  // after a build.
  chmodSync(join(root, 'dist/main.js'), 0o755)
  writeFileSync(stampFile(root), servedOnly ? `${SERVED_ONLY}${stamp}` : stamp)
  return true
}

const SERVED = [compileServer, compileConsole]

const PACKAGED = [
  compileLibrary,
  (root) => compileRunners(root, 'esm', '.js'),
  (root) => compileRunners(root, 'cjs', '.cjs'),
  (root) => compileClients(root, 'esm', '.js'),
  (root) => compileClients(root, 'cjs', '.cjs'),
]

async function compile(root, parts) {
  try {
    return await Promise.all(parts.map((part) => part(root)))
  } catch {
    // esbuild has already printed the errors.
    return undefined
  } finally {
    // Otherwise, the esbuild process would keep running until the server that is started next ends.
    await esbuild.stop()
  }
}

function compileServer(root) {
  return esbuild.build({
    ...serverBundle,
    entryPoints: entriesOf(root, [{ in: 'src/main.ts', out: 'main' }]),
    outdir: join(root, 'dist'),
    absWorkingDir: root,
    legalComments: 'linked',
    write: false,
    metafile: true,
  })
}

function entriesOf(root, entries) {
  return entries.map((entry) => ({ ...entry, in: join(root, entry.in) })).filter((entry) => existsSync(entry.in))
}

/** Settings for bundling code that runs in test environments. */
function inTestEnvironments(root) {
  return {
    ...serverBundle,
    outdir: join(root, 'dist'),
    absWorkingDir: root,
    splitting: false,
    banner: {},
    legalComments: 'linked',
    write: false,
    metafile: true,
  }
}

/**
 * `import` loads the CommonJS bundle too, for two reasons. Jest cannot `require` an ES module, and a program that uses
 * both `import` and `require` must load the library only once.
 */
function compileLibrary(root) {
  return esbuild.build({
    ...inTestEnvironments(root),
    entryPoints: entriesOf(root, [{ in: 'src/index.ts', out: 'index' }]),
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    inject: [join(root, 'scripts/build/node-globals.mjs')],
    define: { 'import.meta.dirname': '__dirname', 'import.meta.url': '__filename' },
    // Under Jest, `import()` works only with a command-line flag of Node.
    supported: { 'dynamic-import': false },
  })
}

/** Lists the names of the exports, because Node would take longer to find them in the bundle than to run the bundle. */
function importLibrary(bundle) {
  const [, names] = /0&&\(module\.exports=\{([\w,]+)\}\)/.exec(bundle)
  return `import { createRequire } from 'node:module'\nexport const {${names}} = createRequire(import.meta.url)('./index.cjs')\n`
}

/** The modules for test runners import the library from the neighboring file. */
const oneLibrary = (extension) => ({
  name: 'one-library',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/\.\.\/index\.ts$/ }, () => ({ path: `../index${extension}`, external: true }))
  },
})

/**
 * Uses the module format that a runner requires: Vitest exports its functions only to ES modules, and Jest only to
 * CommonJS.
 */
function compileRunners(root, format, extension) {
  return esbuild.build({
    ...inTestEnvironments(root),
    entryPoints: entriesOf(root, RUNNERS),
    plugins: [...serverBundle.plugins, oneLibrary(extension)],
    outExtension: { '.js': extension },
    format,
  })
}

function compileClients(root, format, extension) {
  return esbuild.build({
    entryPoints: entriesOf(root, [CLIENTS]),
    outdir: join(root, 'dist'),
    outExtension: { '.js': extension },
    absWorkingDir: root,
    bundle: true,
    format,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: ['node20', 'es2022'],
    legalComments: 'linked',
    minifyWhitespace: true,
    minifySyntax: true,
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
}

/**
 * Separates the barcodes, which are large and needed in only one view. The console loads them when it displays that
 * view.
 */
const barcodesApart = {
  name: 'barcodes-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/barcode-symbols\.ts$/ }, () => ({ path: './barcodes.js', external: true }))
  },
}

export function compileConsole(root) {
  return esbuild.build({
    entryPoints: [
      { in: join(root, 'src/tools/console/main.tsx'), out: 'main' },
      { in: join(root, 'src/tools/console/style/main.css'), out: 'main' },
      { in: join(root, 'src/tools/console/case-page.tsx'), out: 'case-page' },
      { in: join(root, 'src/tools/console/style/case-page.css'), out: 'case-page' },
      { in: join(root, 'src/tools/console/views/wallet/barcode-symbols.ts'), out: 'barcodes' },
    ],
    plugins: [barcodesApart],
    outdir: join(root, 'dist/console'),
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'linked',
    write: false,
    metafile: true,
    logLevel: 'warning',
  })
}

function copyThread(root, dist) {
  const file = join(root, 'src/server/adapters/disk/database-thread.mjs')
  if (existsSync(file)) cpSync(file, join(dist, 'database-thread.mjs'))
}

function copyDocs(root, dist) {
  for (const file of DOCS) cpSync(join(root, 'node_modules/swagger-ui-dist', file), join(dist, 'docs', file))
  mkdirSync(join(dist, 'docs/guides'), { recursive: true })
  for (const [name, text] of renderPages(root)) writeFileSync(join(dist, 'docs/guides', name), text)
}

function copyConsole(root, dist) {
  cpSync(join(root, 'src/tools/console/static'), join(dist, 'console'), { recursive: true })
}

function writeThirdParties(root, results) {
  const packages = [...bundledPackages(results.map(({ metafile }) => metafile)), 'node_modules/swagger-ui-dist']
  const { bill, licenses } = billOfMaterials(root, packages)
  writeFileSync(join(root, 'dist/sbom.cdx.json'), bill)
  // Licenses of the code that Swagger UI itself bundles.
  const further = readFileSync(join(root, 'node_modules/swagger-ui-dist', `${DOCS[0]}.LICENSE.txt`), 'utf8')
  writeFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), `${licenses}\n${further}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await build(join(import.meta.dirname, '../..'))) ? 0 : 1
}
