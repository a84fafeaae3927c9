import type { JournalEntry } from '../client/types.ts'
import type { CheckReport, ExaminationReport, ScenarioReport } from './examination.ts'
import { grades, writeCounts, failuresOf, describeEntry, escapeText } from './report-parts.ts'

export function writeHtml(report: ExaminationReport): string {
  const { grade, seed, profile, checks, scenarios, isPartial } = report
  const ended = isPartial ? ' · interrupted' : ''
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
<p>${writeCounts(checks)} · seed <code>${escapeText(seed)}</code>${under}${ended}</p></div></header>
${failures === '' ? '' : `<h2>What to fix, most important first</h2>\n${failures}`}
<h2>All checks</h2>
<table><thead><tr><th>Check</th><th>Level</th><th>Verdict</th>
<th>What a correct client does</th><th>Source</th></tr></thead>
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

function writeFailure({ name, level, source, rule, advice, evidence, problem, scenario }: CheckReport): string {
  const wire = evidence.map((entry) => writeEntry(entry)).join('\n')
  const played = scenario === undefined ? '' : ` · ${escapeText(scenario)}`
  return `<article><h3><span class="level ${level}">${level}</span> ${escapeText(name)}</h3>
<p>${escapeText(rule)} <cite>${escapeText(source)}</cite>${played}</p>
${problem === undefined ? '' : `<p class="problem">${escapeText(problem)}</p>`}<p><b>Do:</b> ${escapeText(advice)}</p>
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

function writeScenario({ name, task, requests, problem }: ScenarioReport): string {
  return `<tr><td>${escapeText(name)}</td><td>${escapeText(task)}</td><td>${requests}</td>
<td class="problem">${escapeText(problem ?? '')}</td></tr>`
}

const STYLE = `
:root{color-scheme:light dark;--line:light-dark(#d8dde4,#3a4048);--dim:light-dark(#59636e,#a3adb8);
--good:light-dark(#17703c,#6bd894);--bad:light-dark(#a3231f,#ff9a94)}
body{font:16px/1.5 system-ui,sans-serif;margin:0}main{max-width:70rem;margin:auto;padding:1.5rem}
header{display:flex;gap:1.25rem;align-items:center}h1{margin:0;font-size:1.4rem}header p{margin:0;color:var(--dim)}
.grade{font-size:3rem;width:5rem;height:5rem;display:grid;place-items:center;border-radius:1rem;border:3px solid}
.gA,.gB,.passed{color:var(--good)}.gC,.gD,.failed,.problem{color:var(--bad)}.not-covered,cite{color:var(--dim)}
article{border:1px solid var(--line);border-radius:.6rem;padding:.75rem 1rem;margin:.75rem 0}
h3{margin:0}article p{margin:.4rem 0}table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
.level{font-size:.75rem;font-weight:700;letter-spacing:.03em}pre{overflow:auto;font-size:.8rem;max-height:24rem}
summary{cursor:pointer;font-family:ui-monospace,monospace;font-size:.85rem}
`
