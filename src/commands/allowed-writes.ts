import { type AllowedWrites, noWrites, readAllowedWrites } from '../contract/documents/allowed-writes.ts'
import { UsageError } from './arguments.ts'

/** `--allow-writes` may stand alone, also before a file, which means all. */
export function joinAllowWrites(args: readonly string[]): string[] {
  const isAlone = (i: number) => args[i] === '--allow-writes' && !/^\w[\w, ]*$/.test(args[i + 1] ?? '')
  return args.map((word, i) => (isAlone(i) ? '--allow-writes=all' : word))
}

export function readWrites(given: string | undefined): AllowedWrites {
  try {
    return given === undefined ? noWrites : readAllowedWrites(given)
  } catch (error) {
    throw new UsageError(`--allow-writes ${given}: ${(error as Error).message}`)
  }
}
