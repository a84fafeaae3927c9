import type { ComparisonReport } from '../../contract/records/control/comparison.ts'
import { toLinePart } from '../control-client/printable.ts'
import { writeJunit } from './junit.ts'
import { writeMarkdown } from './markdown.ts'
import { describeDifference, describeDistance, summarize, titleOf } from './report-words.ts'

export const formats = ['text', 'json', 'junit', 'md'] as const
export type ReportFormat = (typeof formats)[number]

export const writers: Readonly<Record<ReportFormat, (report: ComparisonReport) => string>> = {
  text: writeText,
  json: (report) => `${JSON.stringify(report, undefined, 2)}\n`,
  junit: writeJunit,
  md: writeMarkdown,
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
