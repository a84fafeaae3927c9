import { accessSync, constants, lstatSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'
import { describeFailure } from '#contract/failures.ts'
import { didYouMean } from '#contract/records/nearest.ts'
import { readInputText } from '#server/seed/input-file.ts'
import { toPrintable } from '#tools/client/printable.ts'

/** An error that the user of the command can fix. Its message is printed. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export function oneOf<const N extends string>(name: string, known: readonly N[]): N {
  const found = known.find((each) => each === name)
  if (found === undefined) throw new UsageError(`${name} is not one of ${known.join(', ')}${didYouMean(name, known)}`)
  return found
}

/** Results are written to `stdout` and messages to `stderr`, so that results can be piped. */
export interface CommandOutput {
  stdout: { write(text: string): unknown; isTTY?: boolean }
  stderr: { write(text: string): unknown; isTTY?: boolean }
}

/** Output may contain untrusted text, which must not control the terminal. `paint` adds the colors. */
export function toPrintableOutput(
  { stdout, stderr }: CommandOutput,
  paint: (text: string) => string = (text) => text,
): CommandOutput {
  const clean = (stream: CommandOutput['stdout']) => ({
    write: (text: string) => stream.write(stream.isTTY ? paint(toPrintable(text)) : toPrintable(text)),
    ...(stream.isTTY !== undefined && { isTTY: stream.isTTY }),
  })
  return { stdout: clean(stdout), stderr: clean(stderr) }
}

export const exitCodes = { ok: 0, findings: 1, usage: 2, interrupted: 130 } as const

export function show<T>(value: T, json: boolean | undefined, { stdout }: CommandOutput, write: (value: T) => string) {
  stdout.write(json ? `${JSON.stringify(value, undefined, 2)}\n` : write(value))
}

export async function readText(file: string): Promise<string> {
  return readInputText(file === '-' ? process.stdin : file).catch((error: Error) => {
    throw new UsageError(`cannot read ${file}: ${describeFailure(error)}`)
  })
}

/** Called before long work starts, so that no result is lost because its file cannot be written. */
export function refuseExisting(file: string | undefined): void {
  // A broken symbolic link also counts as an existing file.
  if (!file || file === '-') return
  if (lstatSync(file, { throwIfNoEntry: false })) throw new UsageError(`cannot write ${file}: file already exists`)
  try {
    accessSync(dirname(file), constants.W_OK)
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${describeFailure(error)}`)
  }
}

/** Never overwrites a file, because it may contain a key. */
export async function writeResult(text: string, file: string | undefined, { stdout }: CommandOutput, mode = 0o644) {
  if (file === undefined || file === '-') {
    stdout.write(text)
    return
  }
  await writeFile(file, text, { flag: 'wx', mode }).catch((error: Error) => {
    throw new UsageError(`cannot write ${file}: ${describeFailure(error)}`)
  })
}
