import type { ComparisonReport } from '../../contract/records/control/comparison.ts'
import { describeDistance, describeExplanation, summarize, titleOf, toWords } from './report-words.ts'

export function writeMarkdown(report: ComparisonReport): string {
  const { differences, distance, exceeded, unlisted } = report
  const verdict =
    differences.length + unlisted === 0
      ? 'nothing differs'
      : exceeded.length > 0
        ? 'differs'
        : 'differs within the limits'
  const rows = differences.map((found) => {
    const { kind, place, count, ours, theirs } = found
    const why = `${describeExplanation(found)}${found.known ? ' (in the baseline)' : ''}`
    return [titleOf(found), place, kind, String(count), toWords(ours), toWords(theirs), why]
  })
  const shares = distance.map((each) => [titleOf(each), describeDistance(each)])
  return [
    `### vendor-cloud compare: ${verdict}`,
    ...(rows.length > 0 ? [writeTable(['Operation', 'Place', 'Kind', 'Count', 'Ours', 'Theirs', 'Why'], rows)] : []),
    ...(shares.length > 0 ? [writeTable(['Operation', 'Distance'], shares)] : []),
    ...summarize(report).split('\n').map(escapeMarkdown),
  ]
    .join('\n\n')
    .concat('\n')
}

function writeTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, heads.map(() => '---'), ...rows.map((row) => row.map(escapeMarkdown))]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** The upstream's text must not become mark-up, a link or a mention, so every sign is written as a reference. */
function escapeMarkdown(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ').replace(/[^\p{L}\p{N} ,/-]/gu, (sign) => `&#${sign.codePointAt(0)};`)
}
