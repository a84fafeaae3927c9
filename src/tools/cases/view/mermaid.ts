import type { CaseView, Reason } from './case-view.ts'
import { kindOf, lanes, lanesOf, nameOf, readRefusal, sourceOf } from './step-view.ts'
import type { CaseStep } from '#contract/files/case.ts'

const MOST_STEPS = 150
const LONGEST = 90

/** Mermaid rejects large diagrams, so only the 150 steps up to `last`, or the first ones, are shown. */
export function toMermaid({ about, steps, played }: CaseView, last?: number): string {
  const end = last === undefined ? MOST_STEPS : steps.findIndex(({ step }) => step === last) + 1
  const shown = steps.slice(Math.max(0, end - MOST_STEPS), end)
  const used = lanes.filter(
    (lane) => lane === 'client' || lane === 'vendor' || shown.some((s) => lanesOf(s).includes(lane)),
  )
  const lines = [
    'sequenceDiagram',
    ...(about.name === undefined ? [] : [`  title ${escapeText(about.name)}`]),
    ...used.map((lane) => `  participant ${lane.toUpperCase()} as ${titles[lane]}`),
    ...shown.flatMap((step, i) => [...toTime(step, shown[i - 1]), ...toLines(step, played[step.step]?.why)]),
  ]
  const left = steps.length - shown.length
  if (left > 0) lines.push(`  Note over CLIENT,VENDOR: ${shown.length} of ${steps.length} steps`)
  return `${lines.join('\n')}\n`
}

const titles = { client: 'Client', vendor: 'Vendor', stream: 'Stream', mail: 'Mail' } as const

function toTime(step: CaseStep, before: CaseStep | undefined): string[] {
  return before?.at === step.at ? [] : [`  Note over CLIENT,VENDOR: ${escapeText(step.at)}`]
}

function toLines(step: CaseStep, known: Reason | undefined): string[] {
  const [from, to] = lanesOf(step).map((lane) => lane.toUpperCase())
  const line = `${step.step} ${nameOf(step)}`
  if (!('reply' in step)) return [`  ${from}-)${to}: ${escapeText(line)}`]
  const { status } = step.reply
  const why = known ?? readRefusal(step)
  const place = why && sourceOf(why)
  const answer = [status ?? 'no answer', why?.code, place].filter((each) => each !== undefined).join(', ')
  if (!('call' in step)) {
    return [`  Note right of VENDOR: ${escapeText(kindOf(step) === 'clock' ? line : `${line}, ${answer}`)}`]
  }
  const sign = status === undefined ? '--x' : '-->>'
  return [`  ${from}->>${to}: ${escapeText(line)}`, `  ${to}${sign}${from}: ${escapeText(`${step.step} ${answer}`)}`]
}

/** Characters that may have a meaning in Mermaid, Markdown or HTML are written as numeric entities. */
function escapeText(text: string): string {
  const line = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
  return line.replace(/[^\p{L}\p{N} /?=.,:…-]/gu, (sign) => `#${sign.codePointAt(0)};`)
}
