import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { UnusableState } from '../ports.ts'

/** Reads every page that is in use, as the server will; of the values it keeps nothing. */
const WALK = `
const [driver, path] = process.argv.slice(1)
const encoder = { encode: (value) => value, decode: (bytes, size) => size + 1 }
const db = require(driver).open({ path, noSubdir: true, readOnly: true, encoder, keyEncoding: 'binary' })
for (const entry of db.getRange({ snapshot: true })) if (!entry) break
db.getStats()
process.exit(0)`

/**
 * LMDB trusts its file: a damaged one may take the process with it, without a word. So another process goes first.
 */
export function checkDataFile(path: string): Promise<void> {
  const driver = createRequire(import.meta.url).resolve('lmdb')
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['-e', WALK, driver, path], { env: {} }, (error) =>
      error ? reject(new UnusableState(`${path} is damaged: it cannot be read to its end`)) : resolve(),
    )
  })
}
