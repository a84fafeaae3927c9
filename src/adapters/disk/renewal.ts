import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { UnusableState } from '../../ports.ts'
import { listFolder, removeFiles } from './safe-files.ts'

/** A data file that is being written anew, beside the old one. */
export interface Renewal {
  /** Where it is once it is on disk; nothing when it could not be written, for want of room say. */
  written: Promise<string | undefined>
  /** What there is of it goes. */
  stop(): Promise<void>
}

/** Reads every page that is in use, as the server does; then writes what it has read, unless the server is gone. */
const WORK = `
const [driver, path, fresh] = process.argv.slice(1)
const { fsyncSync, openSync, writeSync } = require('node:fs')
const { setPriority } = require('node:os')
const { open } = require(driver)
const options = { noSubdir: true, keyEncoding: 'binary' }
const encoder = { encode: (value) => value, decode: (bytes, size) => size + 1 }
const old = open({ path, readOnly: true, encoder, ...options })
for (const entry of old.getRange({ snapshot: true })) if (!entry) break
old.getStats()
writeSync(1, 'whole')
setPriority(10)
const server = process.ppid
encoder.decode = (bytes, size) => Buffer.from(bytes.subarray(0, size))
const target = open({ path: fresh, encoding: 'binary', overlappingSync: false, ...options })
target.transactionSync(() => {
  for (const { key, value } of old.getRange({ snapshot: true })) {
    if (process.ppid !== server) process.exit(1)
    target.putSync(key, value, { append: true })
  }
})
fsyncSync(openSync(fresh, 'r'))
process.exit(0)`

/**
 * LMDB trusts its file: a damaged one may take the process with it, without a word. So another process reads it first;
 * UnusableState when it does not come to the end. It then writes the file anew, from what can be proved of it. What
 * lies free in the old one has no proof: after a crash and some damage the next writes might go where records are.
 */
export async function renewDataFile(path: string): Promise<Renewal> {
  await removeFiles(await findOlder(path))
  const fresh = `${path}.new-${randomBytes(4).toString('hex')}`
  const driver = createRequire(import.meta.url).resolve('lmdb')
  const worker = spawn(process.execPath, ['-e', WORK, driver, path, fresh], {
    env: {},
    stdio: ['ignore', 'pipe', 'ignore'],
    // In a group of its own: who interrupts the server at a terminal does not mean this.
    detached: true,
  })
  const written = new Promise<string | undefined>((resolve) => {
    worker.once('error', () => resolve(undefined))
    worker.once('close', (code) => resolve(code === 0 ? fresh : undefined))
  }).then(async (file) => {
    if (!file) await removeFiles([fresh, `${fresh}-lock`])
    return file
  })
  const isWhole = await Promise.race([once(worker.stdout, 'data').then(() => true), written])
  if (!isWhole) throw new UnusableState(`${path} is damaged: it cannot be read to its end`)
  return {
    written,
    async stop() {
      worker.kill('SIGKILL')
      if (await written) await removeFiles([fresh, `${fresh}-lock`])
    },
  }
}

/** What servers left that were killed amid this. */
async function findOlder(path: string): Promise<string[]> {
  const names = await listFolder(dirname(path))
  return names.filter((name) => name.startsWith(`${basename(path)}.new`)).map((name) => join(dirname(path), name))
}
