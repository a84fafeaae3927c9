import type { JournalEntry } from '../control-client/types.ts'
import { type Check, documents, type DocumentName } from './check.ts'
import type { CheckReport, ExaminationReport, ScenarioReport } from './examination.ts'

export const formats = ['text', 'json', 'junit', 'html'] as const
export type ReportFormat = (typeof formats)[number]

export const writers: Readonly<Record<ReportFormat, (report: ExaminationReport) => string>> = {
  text: writeText,
  json: (report) => `${JSON.stringify(report, undefined, 2)}\n`,
  junit: writeJunit,
  html: writeHtml,
}

const grades = {
  A: 'all that was met is right',
  B: 'no MUST failed',
  C: 'few MUSTs failed',
  D: 'MUSTs failed, or none was met',
} as const

const levels = ['MUST', 'SHOULD', 'INFO'] as const
const verdicts = ['passed', 'failed', 'not met'] as const

function writeCounts(checks: readonly CheckReport[]): string {
  const countOf = (verdict: CheckReport['verdict']) => checks.filter((check) => check.verdict === verdict).length
  return verdicts.map((verdict) => `${countOf(verdict)} ${verdict}`).join(', ')
}

/** The first things to mend: failures by level. */
function failuresOf({ checks }: ExaminationReport): CheckReport[] {
  return levels.flatMap((level) => checks.filter((check) => check.level === level && check.verdict === 'failed'))
}

/** One screen: the grade, the counts, what to do first. */
function writeText(report: ExaminationReport): string {
  const { grade, seed, profile, scenarios, checks, isPartial } = report
  const under = profile === undefined ? '' : `, profile ${profile}`
  const lines = [`Grade ${grade}: ${grades[grade]} (seed ${seed}${under})`, '']
  if (isPartial) lines.push(`Ended before its end, after ${scenarios.length} scenarios.`, '')
  for (const document of documents) {
    const own = checks.filter((check) => check.document === document)
    if (own.length === 0) continue
    lines.push(`  ${document.padEnd(8)} ${writeCounts(own)}`)
  }
  const troubled = scenarios.filter(({ trouble }) => trouble !== undefined)
  if (troubled.length > 0) lines.push('', ...troubled.map(({ name, trouble }) => `  ${name}: ${trouble}`))
  const failures = failuresOf(report)
  if (failures.length > 0) lines.push('', 'What to do, the first things first:')
  for (const check of failures) {
    lines.push('', `  ${check.level} ${check.name} (${check.source})`, `    ${check.rule}`, `    ${check.advice}`)
    lines.push(...check.evidence.slice(0, 3).map((entry) => `    ${describeEntry(entry)}`))
  }
  return `${lines.join('\n')}\n`
}

/** A line of the wire. */
export function describeEntry({ id, at, method, path, query, status, why, frame }: JournalEntry): string {
  if (frame) return `#${id} ${at} frame ${frame.event} ${frame.id ?? ''}`
  const asked = `${method} ${path}${query === undefined ? '' : `?${query}`}`
  return `#${id} ${at} ${asked} → ${status ?? 'no answer'}${why ? `: ${why.message}` : ''}`
}

function writeJunit({ checks, scenarios, profile, isPartial }: ExaminationReport): string {
  const suites = documents.map((document) => {
    const own = checks.filter((check) => check.document === document)
    const failures = own.filter(({ level, verdict }) => level === 'MUST' && verdict === 'failed').length
    const cases = own.map((check) => writeCase(check)).join('')
    return `  <testsuite name="${document}" tests="${own.length}" failures="${failures}">\n${cases}  </testsuite>\n`
  })
  const troubles = scenarios
    .filter(({ trouble }) => trouble !== undefined)
    .map(({ name, trouble }) => `${name}: ${trouble}`)
  if (isPartial) troubles.push('ended before its end')
  const output = troubles.length > 0 ? `  <system-err>${escapeText(troubles.join('\n'))}</system-err>\n` : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="vendor-cloud examine${profile === undefined ? '' : escapeText(`: profile ${profile}`)}">
${suites.join('')}${output}</testsuites>
`
}

/** Checks below MUST are skipped where they failed: they break no build. */
function writeCase({ name, document, level, source, rule, verdict, evidence, advice, trouble }: CheckReport): string {
  const words = escapeText(
    [rule, trouble ?? '', advice, source, ...evidence.map(describeEntry)].filter(Boolean).join('\n'),
  )
  const open = `    <testcase classname="${document}" name="${level} ${name}"`
  if (verdict === 'passed') return `${open}/>\n`
  if (verdict === 'not met') return `${open}><skipped message="not met"/></testcase>\n`
  const inner =
    level === 'MUST'
      ? `<failure message="${escapeText(rule)}">${words}</failure>`
      : `<skipped message="${escapeText(rule)}"/>`
  return `${open}>${inner}</testcase>\n`
}

/** A page that stands alone, with what was on the wire for each failure. */
function writeHtml(report: ExaminationReport): string {
  const { grade, seed, profile, checks, scenarios, isPartial } = report
  const under = profile === undefined ? '' : ` · profile <code>${escapeText(profile)}</code>`
  const failures = failuresOf(report).map(writeFailure).join('\n')
  const rows = checks.map(writeRow).join('\n')
  const acts = scenarios.map(writeScenario).join('\n')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Grade ${grade}: vendor-cloud examine</title>
<style>${STYLE}</style>
<main>
<header><strong class="grade g${grade}">${grade}</strong><div><h1>${escapeText(grades[grade])}</h1>
<p>${writeCounts(checks)} · seed <code>${escapeText(seed)}</code>${under}${isPartial ? ' · ended before its end' : ''}</p></div></header>
${failures === '' ? '' : `<h2>What to do, the first things first</h2>\n${failures}`}
<h2>All checks</h2>
<table><thead><tr><th>Check</th><th>Level</th><th>Verdict</th>
<th>What a right client does</th><th>Source</th></tr></thead>
<tbody>
${rows}
</tbody></table>
<h2>Scenarios</h2>
<table><thead><tr><th>Scenario</th><th>Task</th><th>Requests</th><th></th></tr></thead>
<tbody>
${acts}
</tbody></table>
</main>
`
}

function writeFailure({ name, level, source, rule, advice, evidence, trouble, scenario }: CheckReport): string {
  const wire = evidence.map((entry) => writeEntry(entry)).join('\n')
  const played = scenario === undefined ? '' : ` · ${escapeText(scenario)}`
  return `<article><h3><span class="level ${level}">${level}</span> ${escapeText(name)}</h3>
<p>${escapeText(rule)} <cite>${escapeText(source)}</cite>${played}</p>
${trouble === undefined ? '' : `<p class="trouble">${escapeText(trouble)}</p>`}<p><b>Do:</b> ${escapeText(advice)}</p>
${wire}</article>`
}

function writeEntry(entry: JournalEntry): string {
  const { request, response, frame, why } = entry
  const shown = JSON.stringify(frame ?? { request, response, why }, undefined, 2)
  return `<details><summary>${escapeText(describeEntry(entry))}</summary><pre>${escapeText(shown)}</pre></details>`
}

function writeRow({ name, level, verdict, rule, source }: CheckReport): string {
  const cells = [
    `<td>${escapeText(name)}</td>`,
    `<td><span class="level ${level}">${level}</span></td>`,
    `<td class="${verdict.replace(' ', '-')}">${verdict}</td>`,
    `<td>${escapeText(rule)}</td>`,
    `<td>${escapeText(source)}</td>`,
  ]
  return `<tr>${cells.join('')}</tr>`
}

function writeScenario({ name, task, requests, trouble }: ScenarioReport): string {
  return `<tr><td>${escapeText(name)}</td><td>${escapeText(task)}</td><td>${requests}</td>
<td class="trouble">${escapeText(trouble ?? '')}</td></tr>`
}

const STYLE = `
:root{color-scheme:light dark;--line:light-dark(#d8dde4,#3a4048);--dim:light-dark(#59636e,#a3adb8);
--good:light-dark(#17703c,#6bd894);--bad:light-dark(#a3231f,#ff9a94)}
body{font:16px/1.5 system-ui,sans-serif;margin:0}main{max-width:70rem;margin:auto;padding:1.5rem}
header{display:flex;gap:1.25rem;align-items:center}h1{margin:0;font-size:1.4rem}header p{margin:0;color:var(--dim)}
.grade{font-size:3rem;width:5rem;height:5rem;display:grid;place-items:center;border-radius:1rem;border:3px solid}
.gA,.gB,.passed{color:var(--good)}.gC,.gD,.failed,.trouble{color:var(--bad)}.not-met,cite{color:var(--dim)}
article{border:1px solid var(--line);border-radius:.6rem;padding:.75rem 1rem;margin:.75rem 0}
h3{margin:0}article p{margin:.4rem 0}table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
.level{font-size:.75rem;font-weight:700;letter-spacing:.03em}pre{overflow:auto;font-size:.8rem;max-height:24rem}
summary{cursor:pointer;font-family:ui-monospace,monospace;font-size:.85rem}
`

/** `--list`: every check, by document. */
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

function escapeText(text: string): string {
  return text.replace(/[&<>"'\p{Cc}]/gu, (character) =>
    character === '\n' ? '\n' : /\p{Cc}/u.test(character) ? '' : `&#${character.charCodeAt(0)};`,
  )
}
