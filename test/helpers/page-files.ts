import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Block, expectedOf, pages, readBlocks, ROOT } from './pages.ts'
import { startServer } from './running-server.ts'

export const files = pages
  .flatMap(readBlocks)
  .filter((block): block is Block & { file: string } => block.file !== undefined)

const { peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  peerDependencies: object
}

/** Returns whether a code block of a page imports a package that `npm ci` does not install. */
export const importsPeer = ({ text }: Block): boolean =>
  Object.keys(peerDependencies).some((name) => text.includes(` from '${name}'`))

/** Creates a folder that looks like a project in which this package is installed. The caller must remove the folder. */
export function installPages(): string {
  mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true })
  const folder = mkdtempSync(join(ROOT, 'node_modules/.cache/pages-'))
  const installed = join(folder, 'node_modules/vendor-cloud')
  for (const name of ['package.json', 'dist', 'docs', 'fixtures', 'openapi'])
    cpSync(join(ROOT, name), join(installed, name), { recursive: true })
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default { cacheDir: '.vite' }`)
  for (const { file, text } of files) writeFileSync(join(folder, file), text)
  return folder
}

/**
 * Ends each program as soon as it has printed the output that its page shows, because some programs wait for events
 * forever.
 */
export async function runPageFile(folder: string, program: string, file: string, text: string): Promise<void> {
  const named = 'http://localhost:8080'
  // A program that contains no server URL starts its own server.
  if (text.includes(named)) writeFileSync(join(folder, file), text.replaceAll(named, await startServer({})))
  const child = spawn(program, [file], { cwd: folder })
  const expected = expectedOf(text)
  expect(expected.length).toBeGreaterThan(0)
  let printed = ''
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (part: string) => {
      printed += part
      if (expected.every((each) => printed.includes(each))) child.kill()
    })
  }
  await new Promise((resolve) => child.on('close', resolve))
  for (const each of expected) expect(printed).toContain(each)
}
