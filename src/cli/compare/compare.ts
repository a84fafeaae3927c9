import type { Case } from '#contract/files/case.ts'
import { findForbiddenWrite } from '#contract/documents/allowed-writes.ts'
import {
  type ComparisonReport,
  comparisonReport,
  differenceKinds,
  UNEXPLAINED,
} from '#contract/records/control/comparison.ts'
import type { VendorProfile } from '#contract/records/control/vendor-profile.ts'
import { systemTimer } from '#server/adapters/node/clock.ts'
import { readProfileFile } from '#server/seed/profile-file.ts'
import { type Compared, compareCase } from '#tools/compare/compare-case.ts'
import { judge } from '#tools/compare/limits.ts'
import { formats, summarize, writers } from '#tools/compare/reports.ts'
import { defineCommand } from '../command.ts'
import { toUnusable } from '../cases/replay.ts'
import { readSecret, readWrites, secretOption } from '../option-values.ts'
import { startCaseServer } from '../cases/start-case-server.ts'
import { toUrl } from '../client/client.ts'
import { exitCodes, oneOf, readText, refuseExisting, UsageError, writeResult } from '../input-output.ts'
import { readComparedFile } from './compared-file.ts'
import { toLinePart } from '#tools/client/printable.ts'
import { findJson } from '#contract/records/decoded-text.ts'

/** A foreign server is asked slowly unless told. */
const RATE = 5

/** Exits with 1 when the two differ beyond the limits. */
export const compare = defineCommand({
  words: { '<FILE>': 'a case or an HTTP Archive' },
  options: {
    upstream: {
      takes: 'URL',
      about: 'Server that gets the same calls, by default those that only read',
      required: true,
    },
    'allow-writes': { takes: '[LIST]', about: 'Make all other calls too, or those of operations such as 8,9,33' },
    rate: { takes: 'N', about: 'Calls per second at most (default: 5, none for a server of this machine)' },
    secret: { ...secretOption, many: true },
    profile: {
      takes: 'FILE',
      about: 'Profile of our world: a file, strict, lenient or rough (default: that of the case)',
    },
    learn: { takes: 'FILE', about: 'Write a profile whose choices explain differences; never overwrites' },
    baseline: { takes: 'FILE', about: 'Report of --format json whose differences do not count' },
    'fail-on': { takes: 'KINDS', about: `Kinds that count (default: ${differenceKinds.join(',')})` },
    'max-distance': { takes: 'N', about: 'Share of each operation and kind that may differ, 0 to 1 (default: 0)' },
    texts: { about: 'Compare the wording of error responses, too' },
    format: { takes: 'FORMAT', about: 'text, json or junit', default: 'text' },
    out: { takes: 'FILE', about: 'Write the report to this file; never overwrites' },
  },
  example: 'compare failing.jsonl --upstream http://localhost:8080 --learn theirs.yaml',
  async run({ values, words: [file = ''] }, output) {
    const { secret = [], texts = false, out, learn } = values
    const upstream = toUpstream(values.upstream)
    const format = oneOf(values.format, formats)
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
  },
})

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

/** Comments of the YAML tell what no choice explains. */
function writeLearned(profile: VendorProfile, { differences }: ComparisonReport, file: string): string {
  if (/\.json$/i.test(file)) return `${JSON.stringify(profile, undefined, 2)}\n`
  const { profile: name, choices = {}, ...others } = profile
  const left = differences.filter(({ explanation }) => explanation === UNEXPLAINED)
  const values = Object.entries(choices).map(([id, value]) => `  ${id}: ${JSON.stringify(value)}\n`)
  // JSON of one line is valid YAML.
  const rest = Object.entries(others).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
  const comments = left.map(({ operation, kind, place }) => `# ${toLinePart(`${operation} ${place} (${kind})`)}\n`)
  return [
    `profile: ${JSON.stringify(name)}\n`,
    values.length > 0 ? 'choices:\n' : 'choices: {}\n',
    ...values,
    ...rest,
    ...(comments.length > 0 ? ['# No choice explains:\n', ...comments] : []),
  ].join('')
}
