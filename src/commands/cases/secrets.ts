import { UsageError } from '../arguments.ts'

/** The case names a placeholder as `token:1`, so the option takes `token:1=VALUE`. */
export function readSecret(given: string): [number, string] {
  const [, n, value] = /^token:(\d+)=(.+)$/.exec(given) ?? []
  if (value === undefined) throw new UsageError(`--secret ${given} is not of the form token:1=VALUE`)
  return [Number(n), value]
}
