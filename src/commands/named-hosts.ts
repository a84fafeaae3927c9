import { type NamedHost, readNamedHost } from '../contract/documents/named-hosts.ts'
import { UsageError } from './arguments.ts'

export function readHost(given: string): NamedHost {
  try {
    return readNamedHost(given)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
