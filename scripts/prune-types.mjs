// Leaves of `dist/types` what the published types lead to: tsc writes a file for every module of the server.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

const folder = join(import.meta.dirname, '../dist/types')
const kept = new Set()
keep('index.d.ts')
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name)
  if (entry.isFile() && !kept.has(file)) rmSync(file)
}
removeEmpty(folder)

function keep(path) {
  const file = join(folder, path)
  if (kept.has(file)) return
  kept.add(file)
  for (const [, target] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)\.ts['"]/g)) {
    keep(`${join(dirname(path), target)}.d.ts`)
  }
}

function removeEmpty(path) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmpty(join(path, entry.name))
  }
  if (existsSync(path) && readdirSync(path).length === 0) rmSync(path, { recursive: true })
}
