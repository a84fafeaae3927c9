import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** The folder is deleted when the benchmark ends, even after an interrupt or the end of the parent process. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
  process.once('disconnect', () => process.exit(1))
  // A listener to `disconnect` would keep the process running.
  process.channel?.unref()
  return folder
}
