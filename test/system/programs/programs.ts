import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'

/** Throws if a program is missing. The tests in the file then fail instead of being skipped. */
export function requirePrograms(...programs: readonly string[]): void {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const missing = programs.filter((program) => !folders.some((folder) => existsSync(join(folder, program))))
  if (missing.length > 0) throw new Error(`not installed, and these tests need it: ${missing.join(', ')}`)
}

/**
 * Returns the folder that an environment variable contains. `what` describes the expected content for the error
 * message.
 */
export function requireFolder(variable: string, what: string): string {
  const folder = process.env[variable]
  if (folder === undefined || !existsSync(folder)) throw new Error(`${variable} must name a folder with ${what}`)
  return folder
}
