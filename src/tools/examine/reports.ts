import { type Check, documents, type DocumentName } from './check.ts'
import type { CheckReport, ExaminationReport } from './examination.ts'
import { grades, writeCounts, failuresOf, describeEntry, escapeText } from './report-parts.ts'
import { writeHtml } from './html-report.ts'

export const formats = ['text', 'json', 'junit', 'html'] as const
export type ReportFormat = (typeof formats)[number]

export const writers: Readonly<Record<ReportFormat, (report: ExaminationReport) => string>> = {
  text: writeText,
  json: (report) => `${JSON.stringify(report, undefined, 2)}\n`,
  junit: writeJunit,
  html: writeHtml,
}

/** The text fits on one screen and starts with the most important failures. */
function writeText(report: ExaminationReport): string {
  const { grade, seed, profile, scenarios, checks, isPartial } = report
  const under = profile === undefined ? '' : `, profile ${profile}`
  const lines = [`Grade ${grade}: ${grades[grade]} (seed ${seed}${under})`, '']
  if (isPartial) lines.push(`Interrupted after ${scenarios.length} scenarios.`, '')
  for (const document of documents) {
    const own = checks.filter((check) => check.document === document)
    if (own.length === 0) continue
    lines.push(`  ${document.padEnd(8)} ${writeCounts(own)}`)
  }
  const troubled = scenarios.filter(({ problem }) => problem !== undefined)
  if (troubled.length > 0) lines.push('', ...troubled.map(({ name, problem }) => `  ${name}: ${problem}`))
  const failures = failuresOf(report)
  if (failures.length > 0) lines.push('', 'What to fix, most important first:')
  const tasks = new Map<string | undefined, string>(scenarios.map(({ name, task }) => [name, task]))
  for (const check of failures) {
    lines.push('', `  ${check.level} ${check.name} (${check.source})`, `    ${check.rule}`)
    if (check.problem !== undefined) lines.push(`    ${check.problem}`)
    lines.push(`    ${check.advice}`)
    // The task is printed only below the first failed check of a scenario.
    const task = tasks.get(check.scenario)
    if (task !== undefined) lines.push(`    The task of ${check.scenario}: ${task}`)
    tasks.delete(check.scenario)
    lines.push(...check.evidence.slice(0, 3).map((entry) => `    ${describeEntry(entry)}`))
  }
  return `${lines.join('\n')}\n`
}

function writeJunit({ checks, scenarios, profile, isPartial }: ExaminationReport): string {
  const suites = documents.map((document) => {
    const own = checks.filter((check) => check.document === document)
    const failures = own.filter(({ level, verdict }) => level === 'MUST' && verdict === 'failed').length
    const cases = own.map((check) => writeCase(check)).join('')
    return `  <testsuite name="${document}" tests="${own.length}" failures="${failures}">\n${cases}  </testsuite>\n`
  })
  const problems = scenarios
    .filter(({ problem }) => problem !== undefined)
    .map(({ name, problem }) => `${name}: ${problem}`)
  if (isPartial) problems.push('ended early')
  const output = problems.length > 0 ? `  <system-err>${escapeText(problems.join('\n'))}</system-err>\n` : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="vendor-cloud examine${profile === undefined ? '' : escapeText(`: profile ${profile}`)}">
${suites.join('')}${output}</testsuites>
`
}

/** A failed check below MUST does not break a build, so it is reported as skipped. */
function writeCase({ name, document, level, source, rule, verdict, evidence, advice, problem }: CheckReport): string {
  const words = escapeText(
    [rule, problem ?? '', advice, source, ...evidence.map(describeEntry)].filter(Boolean).join('\n'),
  )
  const open = `    <testcase classname="${document}" name="${level} ${name}"`
  if (verdict === 'passed') return `${open}/>\n`
  if (verdict === 'not covered') return `${open}><skipped message="not covered"/></testcase>\n`
  const inner =
    level === 'MUST'
      ? `<failure message="${escapeText(rule)}">${words}</failure>`
      : `<skipped message="${escapeText(rule)}"/>`
  return `${open}>${inner}</testcase>\n`
}

export function writeList(checks: readonly (Check & { document: DocumentName; scenario?: string })[]): string {
  const lines = documents.flatMap((document) => {
    const own = checks.filter((check) => check.document === document)
    if (own.length === 0) return []
    return [
      `${document} (${own.length})`,
      ...own.map(({ level, name, rule, source }) => `  ${level.padEnd(6)} ${name}: ${rule} (${source})`),
      '',
    ]
  })
  return `${lines.join('\n')}${checks.length} checks\n`
}
