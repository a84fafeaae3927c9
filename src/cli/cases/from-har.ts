import { httpArchive, type HttpArchive } from '#contract/files/http-archive.ts'
import { ANY_WORD } from '#contract/files/placeholders.ts'
import { isVendorTraffic } from '#contract/control/vendor-traffic.ts'
import { findOperation, type InterfaceName, interfaceNames } from '#contract/documents/find-operation.ts'
import { type CaseStep, upstreamHeader } from '#contract/files/case.ts'
import { findJson } from '#contract/records/decoded-text.ts'
import { explain, writePath } from '#contract/records/issues.ts'
import { readConfig } from '#server/config.ts'
import { type ArchivedSteps, toSteps } from '#tools/cases/http-archive.ts'
import { defineCommand } from '../command.ts'
import { exitCodes, readText, refuseExisting, UsageError, writeResult } from '../input-output.ts'
import { readHost } from '../option-values.ts'
import { openRedactor } from '../published.ts'

export const hostOption = {
  takes: 'HOST[=LIST]',
  about: 'Use entries for this host, limited to the interfaces in LIST. Can be repeated',
  many: true,
} as const

export const fromHar = defineCommand({
  words: { '<FILE>': 'the HTTP Archive' },
  options: {
    out: { takes: 'CASE', about: 'Write the case to this file; an existing file is not overwritten', required: true },
    host: {
      ...hostOption,
      about: `${hostOption.about} (default: this machine and PUBLIC_URL)`,
    },
  },
  example: 'case from-har traffic.har --out traffic.jsonl --host support.vendor.example',
  async run({ values: { out, host: given = [] }, words: [file = ''] }, output) {
    const find = toHostFinder(given, isOwn)
    refuseExisting(out)
    const archive = readArchive(file, await readText(file))
    const { steps, ...left } = toVendorSteps(archive, find)
    await writeResult(await writeSteps(steps), out, output)
    output.stderr.write(
      `Wrote ${count(steps.length, 'step')} to ${out === '-' ? 'standard output' : out}${describeSkipped(left)}\n`,
    )
    return exitCodes.ok
  },
})

/** Without `--host`, returns all interfaces for each host that `isKnown` accepts. */
export function toHostFinder(given: readonly string[], isKnown: (host: string) => boolean) {
  const named = new Map(given.map(readHost).map(({ host, interfaces }) => [host, interfaces]))
  return (host: string) => (given.length > 0 ? named.get(host) : isKnown(host) ? interfaceNames : undefined)
}

export function toVendorSteps(
  archive: HttpArchive,
  known: (host: string) => readonly InterfaceName[] | undefined,
): ArchivedSteps {
  const takes = (host: string, method: string, path: string) => {
    const interfaces = known(host)
    return interfaces !== undefined && isVendorTraffic(path) && isAt(interfaces, method, path)
  }
  const found = toSteps(archive, takes)
  if (found.steps.length === 0) throw new UsageError(describeNone(found))
  return found
}

export function readArchive(file: string, given: string): HttpArchive {
  const value = findJson(given)
  if (value === undefined) throw new UsageError(`${file} is not an HTTP Archive: invalid JSON`)
  const { success, data, error } = explain(httpArchive, value)
  if (success) return data
  const [{ path, message } = { path: [], message: '' }] = error.issues
  throw new UsageError(`${file} is not an HTTP Archive: ${writePath('', path) || 'it'} ${message}`)
}

/** Reads all steps first, because a secret may occur before the field that identifies it as a secret. */
export async function writeSteps(steps: readonly CaseStep[]): Promise<string> {
  const redactor = await openRedactor(readPlaceholders(steps))
  for (const step of steps) redactor.learn(step)
  const hidden = steps.map((step) => redactor.hide(step))
  const { shapes } = redactor
  const header = { ...upstreamHeader, ...(shapes.length > 0 && { tokens: shapes }) }
  return [header, ...hidden].map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** An archive that vendor-cloud wrote contains placeholders, but not the formats of the replaced values. */
function readPlaceholders(steps: readonly CaseStep[]): string[] {
  const numbers = [...JSON.stringify(steps).matchAll(/\{\{token:(\d{1,5})\}\}/g)].map(([, n]) => Number(n))
  return Array.from({ length: numbers.reduce((most, n) => Math.max(most, n), 0) }, () => ANY_WORD)
}

/** Returns whether the host is this machine or the host of PUBLIC_URL, which appears in links. */
export function isOwn(host: string): boolean {
  const { PUBLIC_URL } = readConfig()
  if (/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host)) return true
  return PUBLIC_URL !== undefined && new URL(PUBLIC_URL).hostname === host
}

/** If a path is unknown, the client may have made a mistake, so the request is treated as a request to the vendor. */
function isAt(known: readonly InterfaceName[], method: string, path: string): boolean {
  const found = findOperation(method, path)
  return found === undefined || known.includes(found.of)
}

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`

type Left = Pick<ArchivedSteps, 'left' | 'unusable'>

export function describeSkipped({ left, unusable }: Left): string {
  const sum = [...unusable.values(), ...left.values()].reduce((whole, n) => whole + n, 0)
  if (sum === 0) return ''
  const hosts = [...left].map(([host, n]): [string, number] => [host || 'no host', n])
  const reasons = [...listMost(unusable), ...listMost(hosts)]
  return `; skipped: ${sum} (${reasons.join(', ')})`
}

function listMost(counts: Iterable<[string, number]>): string[] {
  const most = [...counts].toSorted(([, a], [, b]) => b - a)
  return [...most.slice(0, 5).map(([what, n]) => `${what} ${n}`), ...(most.length > 5 ? ['...'] : [])]
}

function describeNone(found: Left): string {
  const { left, unusable } = found
  if (left.size === 0 && unusable.size === 0) return 'the archive has no entries'
  if (unusable.size > 0) return `no entry can be used${describeSkipped(found)}`
  const [[host] = ['']] = [...left].toSorted(([, a], [, b]) => b - a)
  return `no entry has a matching host${describeSkipped(found)}. Use --host ${host || 'HOST'} to select a host`
}
