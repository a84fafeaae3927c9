/** Both limits are inclusive. */
export interface StatusRange {
  from: number
  to: number
}

export const STATUS_RANGE = 'must be a status such as 404, 4xx or 400-499'

export function readStatusRange(text: string): StatusRange | undefined {
  const [, first, last = first] = /^([1-5](?:\d\d|xx))(?:-([1-5]\d\d))?$/i.exec(text) ?? []
  if (first === undefined || last === undefined) return undefined
  const fill = (status: string, digit: string) => Number(status.replaceAll(/x/gi, digit))
  const range = { from: fill(first, '0'), to: fill(last, '9') }
  return range.from <= range.to ? range : undefined
}
