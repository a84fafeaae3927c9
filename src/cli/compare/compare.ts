import { createHash } from 'node:crypto'
import { type Case, type CaseStep, isCase, parseCase } from '#contract/files/case.ts'
import { Bindings } from '#contract/files/placeholders.ts'
import { findForbiddenWrite } from '#contract/documents/allowed-writes.ts'
import {
  type ComparisonReport,
  comparisonReport,
  differenceKinds,
  UNEXPLAINED,
} from '#contract/records/control/comparison.ts'
import type { VendorProfile } from '#contract/records/control/vendor-profile.ts'
import { systemTimer } from '#server/adapters/node/clock.ts'
import { compareCase, type CompareOptions } from '#tools/compare/compare-case.ts'
import { evaluate } from '#tools/compare/limits.ts'
import { Rate } from '#tools/compare/rate.ts'
import { formats, summarize, writers } from '#tools/compare/reports.ts'
import { defineCommand } from '../command.ts'
import {
  describeSkipped,
  hostOption,
  isOwn,
  readArchive,
  toHostFinder,
  toVendorSteps,
  writeSteps,
} from '../cases/from-har.ts'
import { asUsageError } from '../cases/replay.ts'
import { RATE, readProfile, readRate, readSecret, readUpstreamUrl, readWrites, secretOption } from '../option-values.ts'
import { startCaseServer } from '../cases/start-case-server.ts'
import { exitCodes, oneOf, readText, refuseExisting, UsageError, writeResult } from '../input-output.ts'
import { toLinePart } from '#tools/client/printable.ts'
import { findJson } from '#contract/records/decoded-text.ts'

export const compare = defineCommand({
  words: { '<FILE>': 'a case or an HTTP Archive' },
  options: {
    upstream: {
      takes: 'URL',
      about: 'Server to send the same calls to; without --allow-writes, only calls that read data are sent',
      required: true,
    },
    host: {
      ...hostOption,
      about: `For an HTTP Archive: ${hostOption.about} (default: this machine, PUBLIC_URL and --upstream)`,
    },
    'allow-writes': {
      takes: '[LIST]',
      about: 'Also send calls that write: all, or those of the listed operations, such as 8,9,33',
    },
    rate: { takes: 'N', about: 'Maximum calls per second (default: 5, or no limit if the server is on this machine)' },
    secret: { ...secretOption, many: true },
    profile: {
      takes: 'FILE',
      about: 'Profile of the vendor-cloud world: a file, strict, lenient or rough (default: from the case)',
    },
    learn: {
      takes: 'FILE',
      about: 'Write a profile with the choices that account for the differences; an existing file is not overwritten',
    },
    baseline: { takes: 'FILE', about: 'Ignore differences listed in this report of --format json' },
    'fail-on': { takes: 'KINDS', about: `Fail on these kinds of differences (default: ${differenceKinds.join(',')})` },
    'max-distance': {
      takes: 'N',
      about: 'Proportion of paths that may differ, for each operation and kind of difference, 0 to 1 (default: 0)',
    },
    texts: { about: 'Also compare the wording of error responses' },
    format: { takes: 'FORMAT', about: 'text, json or junit', default: 'text' },
    out: { takes: 'FILE', about: 'Write the report to this file; an existing file is not overwritten' },
  },
  example: 'compare failing.jsonl --upstream http://localhost:8080 --learn theirs.yaml',
  async run({ values, words: [file = ''] }, output) {
    const { secret = [], host = [], texts = false, out, learn } = values
    const upstream = readUpstreamUrl(values.upstream)
    const format = oneOf(values.format, formats)
    const failOn = readKinds(values['fail-on'])
    const maxDistance = readShare(values['max-distance'])
    const allowed = readWrites(values['allow-writes'])
    const rate = rateOf(values.rate, upstream)
    const secrets = new Map(secret.map(readSecret))
    const find = toHostFinder(host, (each) => isOwn(each) || each === upstream.hostname)
    for (const each of [out, learn]) refuseExisting(each)
    if (out !== undefined && out === learn) throw new UsageError('--out and --learn must be different files')
    const baseline = values.baseline === undefined ? undefined : await readBaseline(values.baseline)
    const profile = values.profile === undefined ? undefined : await readProfile(values.profile)
    const { given, secrets: sent, told } = await readComparedFile(file, await readText(file), find)
    if (told !== undefined) output.stderr.write(`${told}\n`)
    const options: CompareOptions = {
      upstream,
      profile,
      rate,
      secrets: new Map([...sent, ...secrets]),
      texts,
      allows: ({ call }) => findForbiddenWrite({ ...call, body: textOf(call.body) }, allowed) === undefined,
    }
    const { report, learned, choices } = await asUsageError('compared', async () =>
      compareCase(given, await startCaseServer(given.header), options),
    )
    const evaluated = evaluate(report, { baseline, failOn, maxDistance })
    await writeResult(writers[format](evaluated), out, output)
    if (out !== undefined && out !== '-') output.stderr.write(`${summarize(evaluated)}\n`)
    if (learn !== undefined) {
      await writeResult(writeLearned(learned, evaluated, learn), learn, output)
      output.stderr.write(describeLearned(learn, Object.keys(choices).length, evaluated))
    }
    const isBeyond = evaluated.exceeded.length > 0 || evaluated.unlisted > 0
    return isBeyond ? exitCodes.findings : exitCodes.ok
  },
})

interface ComparedFile {
  given: Case
  /** Values of placeholders, if the file contains them in clear text. */
  secrets: ReadonlyMap<number, string>
  told?: string
}

async function readComparedFile(
  file: string,
  text: string,
  find: ReturnType<typeof toHostFinder>,
): Promise<ComparedFile> {
  if (isCase(text)) return { given: await parse(text), secrets: new Map() }
  if (!/^\s*\{\s*"log"/.test(text)) {
    throw new UsageError(`${file} is neither a case nor an HTTP Archive`)
  }
  const { steps, ...left } = toVendorSteps(readArchive(file, text), find)
  const given = await parse(await writeSteps(steps))
  const told = left.unusable.size > 0 && `some entries could not be used${describeSkipped(left)}`
  return { given, secrets: findSent(given, steps), ...(told && { told }) }
}

function parse(text: string): Promise<Case> {
  return asUsageError('compared', () => parseCase(text))
}

/** Returns the secrets that the client sent. For all others, the upstream generates its own values. */
function findSent({ header, steps }: Case, inClear: readonly CaseStep[]): Map<number, string> {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const bindings = new Bindings(header.tokens, { sha256, invent: (shape) => shape })
  const sent = new Map<number, string>()
  const issued = new Set<string>()
  for (const [i, step] of steps.entries()) {
    const clear = inClear[i]
    if (!('call' in step) || !clear || !('call' in clear)) continue
    const call = JSON.stringify(step.call)
    bindings.learn(call, JSON.stringify(clear.call))
    for (const [mark, n] of call.matchAll(MARK)) {
      if (!issued.has(mark) && !bindings.lacks(mark)) sent.set(Number(n), bindings.fill(mark))
    }
    for (const [mark] of JSON.stringify(step.reply).matchAll(MARK)) issued.add(mark)
  }
  return sent
}

const MARK = /\{\{token:(\d+)\}\}/g
const NO_CHOICE = 'No choice explains these differences:\n'

function readKinds(given: string | undefined) {
  return given === undefined ? differenceKinds : given.split(',').map((kind) => oneOf(kind.trim(), differenceKinds))
}

function readShare(given = '0'): number {
  const share = Number(given)
  if (given.trim() === '' || !(share >= 0 && share <= 1)) {
    throw new UsageError(`--max-distance ${given} is not a number from 0 to 1`)
  }
  return share
}

function rateOf(given: string | undefined, { hostname }: URL): Rate | undefined {
  const isLocal = /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
  if (given === undefined && isLocal) return undefined
  return new Rate(given === undefined ? RATE : readRate(given), systemTimer)
}

async function readBaseline(file: string): Promise<ComparisonReport> {
  const read = comparisonReport.safeParse(findJson(await readText(file)))
  if (read.success) return read.data
  throw new UsageError(`${file} is not a report of vendor-cloud compare --format json`)
}

const textOf = (body: unknown): string | undefined =>
  typeof body === 'string' ? body : (Object(body) as { text?: string }).text

function describeLearned(file: string, count: number, { differences }: ComparisonReport): string {
  const left = differences.filter(({ explanation }) => explanation === UNEXPLAINED)
  const lines = left.map(({ operation, kind, place }) => `  ${operation} ${place} (${kind})\n`)
  const rest = left.length === 0 ? 'All differences are explained.\n' : `${NO_CHOICE}${lines.join('')}`
  return `${file} has ${count} ${count === 1 ? 'choice that removes' : 'choices that remove'} differences. ${rest}`
}

function writeLearned(profile: VendorProfile, { differences }: ComparisonReport, file: string): string {
  if (/\.json$/i.test(file)) return `${JSON.stringify(profile, undefined, 2)}\n`
  const { profile: name, choices = {}, ...others } = profile
  const left = differences.filter(({ explanation }) => explanation === UNEXPLAINED)
  const values = Object.entries(choices).map(([id, value]) => `  ${id}: ${JSON.stringify(value)}\n`)
  // JSON on one line is valid YAML.
  const rest = Object.entries(others).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
  const comments = left.map(({ operation, kind, place }) => `# ${toLinePart(`${operation} ${place} (${kind})`)}\n`)
  return [
    `profile: ${JSON.stringify(name)}\n`,
    values.length > 0 ? 'choices:\n' : 'choices: {}\n',
    ...values,
    ...rest,
    ...(comments.length > 0 ? [`# ${NO_CHOICE}`, ...comments] : []),
  ].join('')
}
