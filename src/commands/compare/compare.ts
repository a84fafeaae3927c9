import type { Case } from '../../contract/cases/case-file.ts'
import { findForbiddenWrite } from '../../contract/documents/allowed-writes.ts'
import {
  type ComparisonReport,
  comparisonReport,
  differenceKinds,
  UNEXPLAINED,
} from '../../contract/records/control/comparison.ts'
import type { VendorProfile } from '../../contract/records/control/vendor-profile.ts'
import { systemTimer } from '../../server/adapters/node/clock.ts'
import { readProfileFile } from '../../server/seed/profile-file.ts'
import { type Compared, compareCase } from '../../tools/compare/compare-case.ts'
import { formats, writers } from '../../tools/compare/formats.ts'
import { judge } from '../../tools/compare/limits.ts'
import { summarize } from '../../tools/compare/report-words.ts'
import { joinAllowWrites, readWrites } from '../allowed-writes.ts'
import { flag, oneOf, parseFileCommand, text, UsageError } from '../arguments.ts'
import { toUnusable } from '../cases/replay.ts'
import { readSecret } from '../cases/secrets.ts'
import { startCaseServer } from '../cases/start-case-server.ts'
import { toUrl } from '../client/client.ts'
import { type CommandOutput, exitCodes, readText, refuseExisting, writeResult } from '../input-output.ts'
import { readComparedFile } from './compared-file.ts'
import { writeLearned } from './learned-profile.ts'
import { findJson } from '../../contract/records/decoded-text.ts'

export const compareHelp = [
  '--upstream URL          the server that gets the same calls: only those that read, unless told',
  '--allow-writes [LIST]   all others too, or these operations: 8,9,33',
  '--rate N                calls a second to it at most; default: 5, and none for a server of this machine',
  '--secret token:1=VALUE  what a placeholder of the case stands for there; may be repeated',
  '--profile FILE          bends our world: a file, or strict, lenient or rough; default: as the case has it',
  '--learn FILE            write a profile whose choices end the differences that they explain; never overwrites',
  '--baseline FILE         a report of --format json: what stands in it is not counted',
  '--fail-on KINDS         the kinds that count: missing,further,type,value,order,status,error,header',
  '--max-distance N        the share of each operation and kind that may differ, from 0 to 1; default: 0',
  '--texts                 the wording of refusals counts too',
  '--format FORMAT         text, json, junit or md; default: text',
  '--out FILE              write the report there; never overwrites',
] as const

const options = {
  upstream: text,
  'allow-writes': text,
  rate: text,
  secret: { ...text, multiple: true },
  profile: text,
  learn: text,
  baseline: text,
  'fail-on': text,
  'max-distance': text,
  texts: flag,
  format: text,
  out: text,
} as const

/** A foreign server is asked slowly unless told. */
const RATE = 5

/** Exits with 1 when the two differ beyond the limits. */
export async function compare(args: string[], output: CommandOutput): Promise<number> {
  const { values, file } = parseFileCommand(joinAllowWrites(args), options)
  const { upstream: address, secret = [], texts = false, out, learn } = values
  if (address === undefined) throw new UsageError('--upstream URL is missing')
  const upstream = toUpstream(address)
  const format = oneOf(values.format ?? 'text', formats)
  const failOn = readKinds(values['fail-on'])
  const maxDistance = readShare(values['max-distance'])
  const allowed = readWrites(values['allow-writes'])
  const rate = readRate(values.rate, upstream)
  const secrets = new Map(secret.map(readSecret))
  for (const each of [out, learn]) refuseExisting(each)
  if (out !== undefined && out === learn) throw new UsageError('--out and --learn name the same file')
  const baseline = values.baseline === undefined ? undefined : await readBaseline(values.baseline)
  const profile = values.profile === undefined ? undefined : await readProfile(values.profile)
  const { given, secrets: sent, told } = await readComparedFile(file, await readText(file), upstream)
  if (told !== undefined) output.stderr.write(`${told}\n`)
  const { report, learned, choices } = await run(given, {
    upstream,
    profile,
    rate,
    secrets: new Map([...sent, ...secrets]),
    texts,
    timer: systemTimer,
    allows: ({ call }) => findForbiddenWrite({ ...call, body: textOf(call.body) }, allowed) === undefined,
  })
  const judged = judge(report, { baseline, failOn, maxDistance })
  await writeResult(writers[format](judged), out, output)
  if (out !== undefined && out !== '-') output.stderr.write(`${summarize(judged)}\n`)
  if (learn !== undefined) {
    await writeResult(writeLearned(learned, judged, learn), learn, output)
    output.stderr.write(describeLearned(learn, Object.keys(choices).length, judged))
  }
  const isBeyond = judged.exceeded.length > 0 || judged.unlisted > 0
  return isBeyond ? exitCodes.findings : exitCodes.ok
}

async function run(given: Case, plan: Parameters<typeof compareCase>[2]): Promise<Compared> {
  try {
    return await compareCase(given, await startCaseServer(given.header), plan)
  } catch (error) {
    throw toUnusable(error as Error, 'compared')
  }
}

function toUpstream(address: string): URL {
  const url = toUrl(address)
  if (url.username === '' && url.search === '' && url.hash === '') return url
  throw new UsageError('--upstream is an address such as https://api.vendor.example, without user, query or fragment')
}

function readKinds(given: string | undefined) {
  return given === undefined ? differenceKinds : given.split(',').map((kind) => oneOf(kind.trim(), differenceKinds))
}

function readShare(given = '0'): number {
  const share = Number(given)
  if (given.trim() === '' || !(share >= 0 && share <= 1)) {
    throw new UsageError(`--max-distance ${given} is no share from 0 to 1`)
  }
  return share
}

function readRate(given: string | undefined, { hostname }: URL): number | undefined {
  if (given === undefined) return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname) ? undefined : RATE
  if (!/^[1-9]\d{0,3}$/.test(given)) throw new UsageError(`--rate ${given} is no whole number from 1 to 9999`)
  return Number(given)
}

async function readBaseline(file: string): Promise<ComparisonReport> {
  const read = comparisonReport.safeParse(findJson(await readText(file)))
  if (read.success) return read.data
  throw new UsageError(`${file} is no report of vendor-cloud compare --format json`)
}

async function readProfile(file: string): Promise<VendorProfile> {
  try {
    return await readProfileFile(file)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

const textOf = (body: unknown): string | undefined =>
  typeof body === 'string' ? body : (Object(body) as { text?: string }).text

function describeLearned(file: string, count: number, { differences }: ComparisonReport): string {
  const left = differences.filter(({ explanation }) => explanation === UNEXPLAINED)
  const lines = left.map(({ operation, kind, place }) => `  ${operation} ${place} (${kind})\n`)
  const rest = left.length === 0 ? 'Nothing is unexplained.\n' : `No choice explains:\n${lines.join('')}`
  return `${file} has ${count} ${count === 1 ? 'choice that ends' : 'choices that end'} differences. ${rest}`
}
