import type { ComparisonReport, FoundDifference } from '../../contract/records/control/comparison.ts'
import { describeDifference, describeExplanation, summarize, titleOf, toWords } from './report-words.ts'

/** A difference beyond the limits is a failed test; the others are skipped ones. */
export function writeJunit(report: ComparisonReport): string {
  const { distance, differences, exceeded } = report
  const isFailed = ({ operation, kind, known }: FoundDifference) =>
    !known && exceeded.some((each) => each.operation === operation && each.kind === kind)
  const suites = distance.map((each) => {
    const own = differences.filter(({ operation }) => operation === each.operation)
    const name = escapeXml(titleOf(each))
    const cases = own.map((found) => writeCase(found, isFailed(found)))
    const whole = own.length > 0 ? [] : [`    <testcase classname="${name}" name="all is the same"/>\n`]
    const failures = own.filter(isFailed).length
    const counts = `tests="${cases.length + whole.length}" failures="${failures}" skipped="${own.length - failures}"`
    return `  <testsuite name="${name}" ${counts}>\n${[...cases, ...whole].join('')}  </testsuite>\n`
  })
  const failed = differences.filter(isFailed).length
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="vendor-cloud compare" failures="${failed}">
${suites.join('')}  <system-out>${escapeXml(summarize(report))}</system-out>
</testsuites>
`
}

function writeCase(found: FoundDifference, isFailed: boolean): string {
  const { kind, place, ours, theirs } = found
  const message = escapeXml(describeExplanation(found))
  const words = escapeXml(describeDifference(found).join('\n'))
  const inner = isFailed ? `<failure message="${message}">${words}</failure>` : `<skipped message="${message}"/>`
  const about = kind === 'status' || kind === 'error' ? ` ${toWords(ours)} / ${toWords(theirs)}` : ''
  const name = escapeXml(`${kind} ${place}${about}`)
  return `    <testcase classname="${escapeXml(titleOf(found))}" name="${name}">${inner}</testcase>\n`
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"'\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, (sign) =>
    sign === '\n' ? '&#10;' : /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u.test(sign) ? '' : `&#${sign.charCodeAt(0)};`,
  )
}
