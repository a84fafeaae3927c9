import type { Finding as ClientFinding } from '#tools/client/errors.ts'
import { type CommandOutput, exitCodes } from '../input-output.ts'

interface Findings {
  errors: readonly Finding[]
  warnings: readonly Finding[]
}

type Finding = Pick<ClientFinding, 'code' | 'message' | 'source'>

/** Gives the exit code; warnings alone are no failure. */
export function report(name: string, { errors, warnings }: Findings, { stdout }: CommandOutput): number {
  for (const finding of errors) stdout.write(`error    ${describe(finding)}\n`)
  for (const finding of warnings) stdout.write(`warning  ${describe(finding)}\n`)
  stdout.write(`${name}: ${count(errors.length, 'error')}, ${count(warnings.length, 'warning')}\n`)
  return errors.length > 0 ? exitCodes.findings : exitCodes.ok
}

function describe({ code, message, source }: Finding): string {
  // Findings of a card cite their source already.
  const cited = source ? ` (${source})` : ''
  return `${code}: ${message}${message.endsWith(cited) ? '' : cited}`
}

function count(number: number, noun: string): string {
  return `${number === 0 ? 'no' : number} ${noun}${number === 1 ? '' : 's'}`
}
