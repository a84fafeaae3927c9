import type { ComparisonReport, FoundDifference, OperationDistance } from '../../contract/records/control/comparison.ts'
import { toLinePart } from '../control-client/printable.ts'

const reasons = {
  writes: 'that may change something (--allow-writes)',
  secrets: 'with secrets that are not known (--secret token:N=VALUE)',
  control: 'of the control API',
} as const

export function summarize({ calls, left, streams, differences, unlisted }: ComparisonReport): string {
  const explained = differences.filter(({ value }) => value !== undefined).length
  const known = differences.filter((each) => each.known).length
  const counted = [
    `calls: ${calls}, differences: ${differences.length + unlisted}`,
    ...(differences.length > 0 ? [`${explained} explained, ${differences.length - explained} unexplained`] : []),
    ...(known > 0 ? [`${known} in the baseline`] : []),
  ]
  const omitted = (Object.keys(reasons) as (keyof typeof reasons)[]).flatMap((why) =>
    left[why] > 0 ? [`${left[why]} ${reasons[why]}`] : [],
  )
  const { compared, notCompared } = streams
  return [
    counted.join('; '),
    ...(compared + notCompared > 0 ? [`streams: ${compared} compared, ${notCompared} not compared`] : []),
    ...(omitted.length > 0 ? [`left out: ${omitted.join(', ')}`] : []),
  ].join('\n')
}

export function describeExplanation({ explanation, value }: FoundDifference): string {
  return value === undefined ? explanation : `${explanation}, ended by ${JSON.stringify(value)}`
}

const percent = (share: number) => `${Number((share * 100).toFixed(2))}%`

export function describeDistance({ calls, places, kinds }: OperationDistance): string {
  const shares = Object.entries(kinds).map(([kind, { count, share }]) => `${kind} ${percent(share)} (${count})`)
  return `${calls} ${calls === 1 ? 'call' : 'calls'}, ${places} places: ${shares.join(', ') || 'the same'}`
}

export const titleOf = ({ operation, route }: Pick<FoundDifference, 'operation' | 'route'>) =>
  operation === route ? route : `${operation} ${route}`

export function toWords(value: unknown): string {
  if (value === undefined) return 'nothing'
  // A text that was cut off is no JSON any more.
  return typeof value === 'string' && value.endsWith('…') ? value : JSON.stringify(value)
}

export function describeDifference(found: FoundDifference): string[] {
  const { kind, place, ours, theirs, count, step } = found
  const often = count === 1 ? `in step ${step}` : `${count} times, first in step ${step}`
  return [
    `  ${toLinePart(place)} (${kind}) ${often}${found.known ? ', in the baseline' : ''}`,
    `    - ${toLinePart(toWords(ours))}`,
    `    + ${toLinePart(toWords(theirs))}`,
    `    ${toLinePart(describeExplanation(found))}`,
  ]
}
