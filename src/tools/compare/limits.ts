import type { ComparisonReport, DifferenceKind, Exceeded } from '#contract/records/control/comparison.ts'
import { keyOf } from './comparison.ts'

export interface Limits {
  /** An earlier report. Differences in that report are known and do not count. */
  baseline?: ComparisonReport | undefined
  failOn: readonly DifferenceKind[]
  /** Maximum proportion of differences per operation and kind, from 0 to 1. */
  maxDistance: number
}

export function evaluate(report: ComparisonReport, { baseline, failOn, maxDistance }: Limits): ComparisonReport {
  const known = new Set(baseline?.differences.map(keyOf))
  const differences = report.differences.map((each) =>
    known.has(keyOf(each)) ? { ...each, known: true as const } : each,
  )
  const knownCount = (operation: string, kind: DifferenceKind) =>
    differences.reduce(
      (sum, each) => sum + (each.known && each.operation === operation && each.kind === kind ? each.count : 0),
      0,
    )
  const exceeded = report.distance.flatMap(({ operation, places, kinds }) =>
    failOn.flatMap((kind): Exceeded[] => {
      const count = (kinds[kind]?.count ?? 0) - knownCount(operation, kind)
      const share = count / Math.max(places, 1)
      return count > 0 && share > maxDistance ? [{ operation, kind, share }] : []
    }),
  )
  return { ...report, differences, exceeded }
}
