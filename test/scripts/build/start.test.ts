import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { build } from '../../../scripts/build/build.mjs'
import { isBuilt } from '../../../scripts/build/stamp.mjs'

const run = promisify(execFile)
const PROJECT = join(import.meta.dirname, '../../..')
let root: string

/** Creates a project that has the real scripts and packages, but a program with only one line. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vendor-cloud-start-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  cpSync(join(PROJECT, 'scripts/build'), join(root, 'scripts/build'), { recursive: true })
  cpSync(join(PROJECT, 'package.json'), join(root, 'package.json'))
  cpSync(join(PROJECT, 'package-lock.json'), join(root, 'package-lock.json'))
  symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'))
  mkdirSync(join(root, 'src/greetings'), { recursive: true })
  for (const folder of ['style', 'static', 'views/wallet']) {
    mkdirSync(join(root, 'src/tools/console', folder), { recursive: true })
  }
  writeFileSync(join(root, 'src/tools/console/main.tsx'), 'document.title = "console"')
  writeFileSync(join(root, 'src/tools/console/case-page.tsx'), 'document.title = "case"')
  writeFileSync(join(root, 'src/tools/console/views/wallet/barcode-symbols.ts'), 'export const drawSymbol = String')
  for (const name of ['main', 'case-page']) {
    writeFileSync(join(root, `src/tools/console/style/${name}.css`), 'body { margin: 0 }')
  }
  writeProgram(`export const greet = () => 'first'`)
  writeFileSync(
    join(root, 'src/main.ts'),
    `import { greet } from './greetings/greet.ts'
    const { isIPv4 } = await import('node:net')
    process.stdout.write(JSON.stringify([greet(), isIPv4('::'), process.argv.slice(2), import.meta.dirname]))`,
  )
})

const writeProgram = (text: string) => writeFileSync(join(root, 'src/greetings/greet.ts'), text)
const start = (...args: string[]) => run(process.execPath, [join(root, 'scripts/build/start.mjs'), ...args])
const greeting = async () => JSON.parse((await start()).stdout)[0]

test('the first start builds the program and runs it from dist with its arguments', async () => {
  const { stdout, stderr } = await start('--port', '0')
  expect(JSON.parse(stdout)).toEqual(['first', false, ['--port', '0'], join(root, 'dist')])
  expect(stderr).toBe('Building the server, because its sources are new. This takes about ten seconds.\n')
})

test('a second start does not build again, but a start after a change does', async () => {
  await start()
  const bundle = join(root, 'dist/main.js')
  writeFileSync(bundle, readFileSync(bundle, 'utf8').replace('"first"', '"as it was built"'))
  expect(await greeting()).toBe('as it was built')

  writeProgram(`export const greet = () => 'changed'`)
  expect(await greeting()).toBe('changed')

  writeProgram(`import { word } from './word.ts'\nexport const greet = () => word`)
  writeFileSync(join(root, 'src/greetings/word.ts'), `export const word = 'added'`)
  expect(await greeting()).toBe('added')
})

test('a start builds only what it runs, and does not build after a full build', async () => {
  await start()
  expect([isBuilt(root), isBuilt(root, { servedOnly: true })]).toEqual([false, true])
  expect(await build(root)).toBe(true)
  expect([isBuilt(root), isBuilt(root, { servedOnly: true })]).toEqual([true, true])
  expect((await start()).stderr).toBe('')
})

test('compile errors are printed with exit code 1 and do not change the last build', async () => {
  await start()
  writeProgram('export const greet = () =>')
  await expect(start()).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('src/greetings/greet.ts:1:26'),
  })
  expect(readFileSync(join(root, 'dist/main.js'), 'utf8')).toContain('first')
})

test('a start without installed packages prints the command that installs them', async () => {
  rmSync(join(root, 'node_modules'))
  await expect(start()).rejects.toMatchObject({
    code: 1,
    stderr: 'The packages are not installed: run `npm ci` first.\n',
  })
})

test('SIGTERM sent to npm start reaches the program', async () => {
  writeFileSync(
    join(root, 'src/main.ts'),
    `process.once('SIGTERM', () => process.stdout.write('ended', () => process.exit()))
    setInterval(() => {}, 1000)
    process.stdout.write('started')`,
  )
  const npm = spawn('npm', ['start', '--silent'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  npm.stdout.on('data', (chunk) => {
    output += String(chunk)
    if (output === 'started') npm.kill()
  })
  await once(npm.stdout, 'end')
  expect(output).toBe('startedended')
})

test('package scripts do not use shell-specific syntax', () => {
  const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
  const found = Object.entries(scripts).filter(([, script]) => /[;$`'|<>]|^exec |^\w+=/.test(String(script)))
  expect(found).toEqual([])
})
