import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'

/**
 * Fails the file that asks, before any of its tests, where a program is missing: what cannot be seen is not skipped.
 */
export function requirePrograms(...programs: readonly string[]): void {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const missing = programs.filter((program) => !folders.some((folder) => existsSync(join(folder, program))))
  if (missing.length > 0) throw new Error(`not installed, and these tests need it: ${missing.join(', ')}`)
}

/** The folder that a variable names; `what` says what should lie there. */
export function requireFolder(variable: string, what: string): string {
  const folder = process.env[variable]
  if (folder === undefined || !existsSync(folder)) throw new Error(`${variable} must name a folder with ${what}`)
  return folder
}
