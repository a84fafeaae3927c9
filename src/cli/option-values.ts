import { UsageError } from './input-output.ts'
import { type AllowedWrites, noWrites, readAllowedWrites } from '#contract/documents/allowed-writes.ts'
import { type NamedHost, readNamedHost } from '#contract/documents/named-hosts.ts'

export function readHost(given: string): NamedHost {
  try {
    return readNamedHost(given)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

export function readWrites(given: string | undefined): AllowedWrites {
  try {
    return given === undefined ? noWrites : readAllowedWrites(given)
  } catch (error) {
    throw new UsageError(`--allow-writes ${given}: ${(error as Error).message}`)
  }
}

export const secretOption = {
  takes: 'token:1=VALUE',
  about: 'Value of a placeholder of the case on the other server; may be repeated',
} as const

/** `token:1=VALUE` gives the placeholder and its value. */
export function readSecret(given: string): [number, string] {
  const [, n, value] = /^token:(\d+)=(.+)$/.exec(given) ?? []
  if (value === undefined) throw new UsageError(`--secret ${given} is not of the form token:1=VALUE`)
  return [Number(n), value]
}
