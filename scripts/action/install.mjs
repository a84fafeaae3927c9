// Installs the packages that a build needs, but not those of the tests, before action.yml builds. If the checkout
// already contains packages, nothing is installed.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const HOME = join(import.meta.dirname, '../..')
const BUILD = [
  '@bwip-js/browser',
  '@knadh/oat',
  '@noble/hashes',
  'diff',
  'esbuild',
  'markdown-it',
  'preact',
  'swagger-ui-dist',
  'yaml',
]
const NPM = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund']

if (!existsSync(join(HOME, 'node_modules'))) process.exitCode = install(mkdtempSync(join(HOME, '.packages-')))

/** Installs in a separate folder, so that no file of the checkout is changed. */
function install(folder) {
  try {
    for (const name of ['package-lock.json', '.npmrc']) cpSync(join(HOME, name), join(folder, name))
    const { devDependencies, ...rest } = JSON.parse(readFileSync(join(HOME, 'package.json'), 'utf8'))
    const wanted = { ...rest, devDependencies: Object.fromEntries(BUILD.map((name) => [name, devDependencies[name]])) }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(wanted))
    const { status, error } = spawnSync('npm', NPM, {
      cwd: folder,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    })
    if (error) throw error
    if (status === 0) renameSync(join(folder, 'node_modules'), join(HOME, 'node_modules'))
    return status ?? 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
