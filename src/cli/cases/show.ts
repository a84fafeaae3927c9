import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Case, parseCase, upstreamHeader } from '#contract/files/case.ts'
import { readCasePageParts } from '#server/package-files.ts'
import { writeCasePage } from '#tools/cases/view/case-page.ts'
import { toStepCount } from '#tools/cases/player/case-points.ts'
import { playCase } from '#tools/cases/player/played-case.ts'
import { toCurlScript } from '#tools/cases/view/curl-script.ts'
import { type CaseView, type OtherCase, toCaseView } from '#tools/cases/view/case-view.ts'
import { findFirstDifference } from '#tools/cases/view/first-difference.ts'
import { toHttpArchive } from '#tools/cases/view/http-archive.ts'
import { toMermaid } from '#tools/cases/view/mermaid.ts'
import { defineCommand } from '../command.ts'
import { exitCodes, oneOf, readText, refuseExisting, UsageError, writeResult } from '../input-output.ts'
import { asUsageError } from './replay.ts'
import { startCaseServer } from './start-case-server.ts'
import { findJson } from '#contract/records/decoded-text.ts'

const formats = ['html', 'mermaid', 'har', 'curl'] as const

export const show = defineCommand({
  words: { '<FILE>': 'the case' },
  options: {
    out: { takes: 'FILE', about: 'Write to this file instead of standard output; an existing file is not overwritten' },
    format: { takes: 'FORMAT', about: formats.join(', '), default: 'html' },
    step: { takes: 'N', about: 'Step to open (html), to end with (mermaid) or to export alone (har, curl)' },
    with: { takes: 'OTHER', about: 'Compare with a second case; the page links to the first step that differs' },
  },
  example: 'case show failing.jsonl --out failing.html',
  async run({ values, words: [file = ''] }, output) {
    const format = oneOf(values.format, formats)
    if (values.with !== undefined && format !== 'html') throw new UsageError('--with requires --format html')
    refuseExisting(values.out)
    const shown = await readShown(await readText(file))
    const step = values.step === undefined ? undefined : readStep(values.step, shown)
    const other =
      values.with === undefined
        ? undefined
        : findFirstDifference(shown, await readShown(await readText(values.with)), basename(values.with))
    await writeResult(await write(shown, format, step, other), values.out, output)
    return exitCodes.ok
  },
})

export async function showText(given: string, format: string, step?: number): Promise<string> {
  const shown = await readShown(given)
  return write(shown, oneOf(format, formats), step === undefined ? undefined : readStep(String(step), shown))
}

async function write(
  file: Case,
  format: (typeof formats)[number],
  step: number | undefined,
  other?: OtherCase,
): Promise<string> {
  if (format === 'curl') return toCurlScript(toCaseView(file), step)
  const view = await viewCase(file)
  if (format === 'mermaid') return toMermaid(view, step)
  if (format === 'har') return toHttpArchive(view, step)
  return toPage({ ...view, other }, step)
}

function readShown(given: string): Promise<Case> {
  return asUsageError('shown', () => parseCase(withOrigin(given)))
}

/** A case without an initial state is shown like a case from another server. */
function withOrigin(given: string): string {
  const end = `${given}\n`.indexOf('\n')
  const first = given.slice(0, end)
  const header = Object(findJson(first)) as Readonly<Record<string, unknown>>
  if (header['case'] === undefined || header['snapshot'] !== undefined || header['changed'] !== undefined) return given
  return JSON.stringify({ ...header, ...upstreamHeader }) + given.slice(end)
}

function readStep(given: string, { steps }: Case): number {
  const found = steps.find(({ step }) => String(step) === given)
  if (!found) throw new UsageError(`--step ${given} does not exist. The case has ${toStepCount(steps.length)}`)
  return found.step
}

/** Maximum milliseconds of real time for a replay. After that, the view shows only the steps replayed so far. */
const PATIENCE = 60_000

export async function writePageOf(file: string, patience: number, name?: string): Promise<string> {
  const view = await viewCase(parseCase(await readFile(file, 'utf8')), patience)
  return toPage(name === undefined ? view : { ...view, about: { ...view.about, name } })
}

async function viewCase(file: Case, patience = PATIENCE): Promise<CaseView> {
  if (!hasBeginning(file)) {
    const note =
      'The case has no initial state. Only the rules in its responses are shown, not the rules of each rejection ' +
      'or the changed records.'
    return toCaseView(file, [note])
  }
  try {
    const { played, notes } = await playCase(file, await startCaseServer(file.header), patience)
    return { ...toCaseView(file, notes), played }
  } catch (error) {
    const why = (error as Error).message.slice(0, 500)
    return toCaseView(file, [`The case could not be replayed, so changes of records are not shown: ${why}`])
  }
}

export function toPage(view: CaseView, step?: number): string {
  const parts = readCasePageParts()
  if (!parts) throw new Error('case pages are not built. Run: npm run build')
  return writeCasePage(view, parts, step)
}

function hasBeginning({ header: { origin, snapshot, fixtures, changed } }: Case): boolean {
  return origin === undefined && (snapshot !== undefined || (fixtures !== undefined && changed !== undefined))
}
