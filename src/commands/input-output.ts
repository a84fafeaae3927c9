import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { text as readStream } from 'node:stream/consumers'
import process from 'node:process'
import { UsageError } from './arguments.ts'

/** Where a command writes: what it made goes to `stdout`, what it has to say about it to `stderr`. */
export interface CommandOutput {
  stdout: { write(text: string): unknown; isTTY?: boolean }
  stderr: { write(text: string): unknown; isTTY?: boolean }
}

export const exitCodes = { ok: 0, findings: 1, usage: 2 } as const

/** What a program is told in JSON, and people as `write` says. */
export function show<T>(value: T, json: boolean | undefined, { stdout }: CommandOutput, write: (value: T) => string) {
  stdout.write(json ? `${JSON.stringify(value, undefined, 2)}\n` : write(value))
}

/** Of a file, or of the standard input when it is called `-`. */
export async function readText(file: string): Promise<string> {
  return (file === '-' ? readStream(process.stdin) : readFile(file, 'utf8')).catch((error: Error) => {
    throw new UsageError(`cannot read ${file}: ${error.message}`)
  })
}

/** Before what takes long: no result may be lost because its file cannot be written. */
export function refuseExisting(file: string | undefined): void {
  if (file && existsSync(file)) throw new UsageError(`cannot write ${file}: it is there already`)
}

/** To the file, or to the output without one. An existing file is never overwritten: it may hold a key. */
export async function writeResult(text: string, file: string | undefined, { stdout }: CommandOutput, mode = 0o644) {
  if (file === undefined || file === '-') {
    stdout.write(text)
    return
  }
  await writeFile(file, text, { flag: 'wx', mode }).catch((error: Error) => {
    throw new UsageError(`cannot write ${file}: ${error.message}`)
  })
}
