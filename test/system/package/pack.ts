import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    tarball: string
  }
}

const PROJECT = join(import.meta.dirname, '../../..')
const PACKED = [
  'package.json',
  'package-lock.json',
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'compose.yaml',
  'docs',
  'examples',
  'LICENSE',
  'fixtures',
  'openapi',
  'scripts',
  'src',
  'tsconfig.json',
  'server.json',
  'skills',
]

/** Packs a copy of the project, because packing changes files. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-packed-'))
  const copy = join(folder, 'copy')
  for (const name of PACKED) cpSync(join(PROJECT, name), join(copy, name), { recursive: true })
  symlinkSync(join(PROJECT, 'node_modules'), join(copy, 'node_modules'))
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: copy, stdio: 'pipe' })
  project.provide('tarball', join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!))
  return () => rmSync(folder, { recursive: true })
}
