import { UsageError } from '../arguments.ts'

/** `token:1=VALUE`, as the case names it. */
export function readSecret(given: string): [number, string] {
  const [, n, value] = /^token:(\d+)=(.+)$/.exec(given) ?? []
  if (value === undefined) throw new UsageError(`--secret ${given} is not of the form token:1=VALUE`)
  return [Number(n), value]
}
