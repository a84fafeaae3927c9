import type { ComparisonReport, FoundDifference, OperationDistance } from '#contract/records/control/comparison.ts'
import { describeSkipped } from '../cases/player/replay-report.ts'
import { toLinePart } from '../client/printable.ts'

export const formats = ['text', 'json', 'junit'] as const

export const writers: Readonly<Record<(typeof formats)[number], (report: ComparisonReport) => string>> = {
  text: writeText,
  json: (report) => `${JSON.stringify(report, undefined, 2)}\n`,
  junit: writeJunit,
}

function writeText(report: ComparisonReport): string {
  const { differences, distance, unlisted } = report
  const parts = distance.map((each) => {
    const own = differences.filter(({ operation }) => operation === each.operation)
    return [toLinePart(titleOf(each)), `  ${describeDistance(each)}`, ...own.flatMap(describeDifference)].join('\n')
  })
  const further = unlisted > 0 ? [`${unlisted} further differences are not listed`] : []
  return `${[...parts, ...further, summarize(report)].join('\n')}\n`
}

/** A difference beyond the limits is reported as a failed test, and any other as a skipped test. */
function writeJunit(report: ComparisonReport): string {
  const { distance, differences, exceeded } = report
  const isFailed = ({ operation, kind, known }: FoundDifference) =>
    !known && exceeded.some((each) => each.operation === operation && each.kind === kind)
  const suites = distance.map((each) => {
    const own = differences.filter(({ operation }) => operation === each.operation)
    const name = escapeXml(titleOf(each))
    const cases = own.map((found) => writeCase(found, isFailed(found)))
    const whole = own.length > 0 ? [] : [`    <testcase classname="${name}" name="no differences"/>\n`]
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
  const about = kind === 'status' || kind === 'error' ? ` ${toText(ours)} / ${toText(theirs)}` : ''
  const name = escapeXml(`${kind} ${place}${about}`)
  return `    <testcase classname="${escapeXml(titleOf(found))}" name="${name}">${inner}</testcase>\n`
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"'\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, (sign) =>
    sign === '\n' ? '&#10;' : /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u.test(sign) ? '' : `&#${sign.charCodeAt(0)};`,
  )
}

export function summarize({ calls, left, streams, differences, unlisted }: ComparisonReport): string {
  const explained = differences.filter(({ value }) => value !== undefined).length
  const known = differences.filter((each) => each.known).length
  const counted = [
    `calls: ${calls}, differences: ${differences.length + unlisted}`,
    ...(differences.length > 0 ? [`${explained} explained, ${differences.length - explained} unexplained`] : []),
    ...(known > 0 ? [`${known} in the baseline`] : []),
  ]
  const omitted = describeSkipped(left)
  const { compared, notCompared } = streams
  return [
    counted.join('; '),
    ...(compared + notCompared > 0 ? [`streams: ${compared} compared, ${notCompared} not compared`] : []),
    ...(omitted === '' ? [] : [omitted]),
  ].join('\n')
}

function describeExplanation({ explanation, value }: FoundDifference): string {
  return value === undefined ? explanation : `${explanation}, ended by ${JSON.stringify(value)}`
}

const percent = (share: number) => `${Number((share * 100).toFixed(2))}%`

function describeDistance({ calls, places, kinds }: OperationDistance): string {
  const shares = Object.entries(kinds).map(([kind, { count, share }]) => `${kind} ${percent(share)} (${count})`)
  return `${calls} ${calls === 1 ? 'call' : 'calls'}, ${places} places: ${shares.join(', ') || 'the same'}`
}

const titleOf = ({ operation, route }: Pick<FoundDifference, 'operation' | 'route'>) =>
  operation === route ? route : `${operation} ${route}`

function toText(value: unknown): string {
  if (value === undefined) return 'nothing'
  return typeof value === 'string' && value.endsWith('…') ? value : JSON.stringify(value)
}

function describeDifference(found: FoundDifference): string[] {
  const { kind, place, ours, theirs, count, step } = found
  const often = count === 1 ? `in step ${step}` : `${count} times, first in step ${step}`
  return [
    `  ${toLinePart(place)} (${kind}) ${often}${found.known ? ', in the baseline' : ''}`,
    `    - ${toLinePart(toText(ours))}`,
    `    + ${toLinePart(toText(theirs))}`,
    `    ${toLinePart(describeExplanation(found))}`,
  ]
}
