import { UsageError } from './input-output.ts'
import type { VendorProfile } from '#contract/records/control/vendor-profile.ts'
import { UnusableState } from '#server/ports/failures.ts'
import { readProfileFile } from '#server/seed/profile-file.ts'
import { toUrl } from './client/client.ts'
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

export const RATE = 5

export function readRate(given: string): number {
  if (/^[1-9]\d{0,3}$/.test(given)) return Number(given)
  throw new UsageError(`--rate ${given} is not a whole number from 1 to 9999`)
}

export function readUpstreamUrl(given: string): URL {
  const url = toUrl(given)
  if (url.username === '' && url.search === '' && url.hash === '') return url
  throw new UsageError('--upstream must be a URL such as https://api.vendor.example, without user, query or fragment')
}

export async function readProfile(given: string): Promise<VendorProfile> {
  try {
    return await readProfileFile(given)
  } catch (error) {
    if (error instanceof UnusableState) throw new UsageError(`--profile: ${error.message}`)
    throw error
  }
}

export const secretOption = {
  takes: 'token:1=VALUE',
  about: 'Value on the other server for a placeholder of the case; can be repeated',
} as const

export function readSecret(given: string): [number, string] {
  const [, n, value] = /^token:(\d+)=(.+)$/.exec(given) ?? []
  if (value === undefined) throw new UsageError('--secret must have the form token:1=VALUE')
  return [Number(n), value]
}
