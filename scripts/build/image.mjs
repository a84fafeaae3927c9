// Lays out the files that the image adds to its base, from a built project: `node scripts/build/image.mjs FOLDER
// [x64|arm64]`. Database drivers are copied as packages with their dependencies. For SQLite, only the binary for glibc
// and the specified processor is copied.
import { cpSync, existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { findPackage } from './bill-of-materials.mjs'

const FILES = ['package.json', 'LICENSE', 'README.md', 'SECURITY.md', 'dist', 'fixtures', 'openapi']
/** The server serves these files, because its pages link to them. */
const LINKED = [
  'CHANGELOG.md',
  'compose.yaml',
  'docs/images/examination.webp',
  'docs/images/requests.webp',
  'examples/clients',
  'examples/nginx.conf',
  'skills',
]
/** Copies only the text of the documentation, because most images are larger than all of the text. */
const PAGES = /\.(md|txt)$/
const DRIVERS = ['pg', '@photostructure/sqlite']
/** This package is only needed to compile the binary. */
const NOT_LOADED = ['node-addon-api']
const SQLITE = 'node_modules/@photostructure/sqlite'
const SQLITE_ENTRIES = ['package.json', 'LICENSE', 'dist']
/** Declarations, source maps and sources are needed only for development. */
const NEVER_RUN = /\.(d\.[mc]?ts|[mc]?ts|map)$/

/** The build stamp, and the files that programs import from the package. */
const OF_LIBRARY = /^(\.stamp|index\.c?js.*|testing)$/

/** Names of processors in Docker (`amd64`), npm (`x64`) and operating systems (`x86_64`). */
const PROCESSORS = { amd64: 'x64', x64: 'x64', x86_64: 'x64', arm64: 'arm64', aarch64: 'arm64' }

export function layOutImage(root, folder, processor = process.arch) {
  const arch = PROCESSORS[processor]
  if (arch === undefined) throw new Error(`the image is made for amd64 and arm64, not for ${processor}`)
  if (!existsSync(join(root, 'dist/main.js'))) throw new Error('nothing is built: run `npm run build` first')
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`)
  for (const name of FILES)
    copy(join(root, name), join(folder, name), (path) => !OF_LIBRARY.test(path) && !NEVER_RUN.test(path))
  for (const name of LINKED) copy(join(root, name), join(folder, name))
  for (const page of readdirSync(join(root, 'docs')).filter((name) => PAGES.test(name))) {
    copy(join(root, 'docs', page), join(folder, 'docs', page))
  }
  for (const path of packagesOf(root, DRIVERS)) {
    copy(join(root, path), join(folder, path), (inside) => {
      return inside !== 'node_modules' && !NEVER_RUN.test(inside) && (path !== SQLITE || keepsOfSqlite(inside, arch))
    })
  }
}

/**
 * Returns the paths in the lockfile of these packages and of their dependencies. Nested node_modules are separate
 * packages.
 */
function packagesOf(root, names) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const found = new Set(names.map((name) => findPackage(packages, '', name)))
  for (const path of found) {
    const required = Object.keys(packages[path].dependencies ?? {}).filter((name) => !NOT_LOADED.includes(name))
    for (const name of required) found.add(findPackage(packages, path, name))
  }
  return [...found].sort()
}

function keepsOfSqlite(path, arch) {
  const [entry, platform, file] = path.split('/')
  if (entry === '' || SQLITE_ENTRIES.includes(entry)) return true
  if (entry !== 'prebuilds') return false
  return (
    platform === undefined || (platform === `linux-${arch}` && (file === undefined || file.endsWith('.glibc.node')))
  )
}

/** Copies a file or folder. `keeps` selects the paths of files and folders to copy. */
function copy(from, to, keeps = () => true) {
  cpSync(from, to, { recursive: true, filter: (path) => keeps(relative(from, path).replaceAll('\\', '/')) })
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [folder, processor] = process.argv.slice(2)
  if (folder === undefined) throw new Error('usage: node scripts/build/image.mjs FOLDER [amd64|arm64]')
  layOutImage(join(import.meta.dirname, '../..'), folder, processor || undefined)
}
