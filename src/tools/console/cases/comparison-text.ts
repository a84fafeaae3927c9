import type { ComparisonReport } from '../../../contract/records/control/comparison.ts'
import { findJson } from '../../../contract/records/decoded-text.ts'

/** Gives nothing for a file that is no report of `vendor-cloud compare`. */
export function findComparison(text: string): ComparisonReport | undefined {
  const report = Object(findJson(text)) as Partial<ComparisonReport>
  const { comparison, calls, upstream, left, streams, differences, distance } = report
  const isReport =
    comparison === 1 &&
    typeof calls === 'number' &&
    typeof upstream === 'string' &&
    [left, streams].every((each) => typeof each === 'object' && each !== null) &&
    isTexts(differences, ['operation', 'route', 'place', 'kind', 'explanation']) &&
    isTexts(distance, ['operation', 'route'])
  return isReport ? (report as ComparisonReport) : undefined
}

function isTexts(list: unknown, names: readonly string[]): boolean {
  return (
    Array.isArray(list) &&
    list.every((each: unknown) => names.every((name) => typeof (Object(each) as never)[name] === 'string'))
  )
}
