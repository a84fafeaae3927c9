/** JSON would write an invalid Date as null, which means the present, so it is refused. */
export function toMoment(at: unknown): number | string {
  const isDate = at instanceof Date && !Number.isNaN(at.getTime())
  const moment = isDate ? at.toISOString() : at
  if (typeof moment === 'number' ? Number.isFinite(moment) : typeof moment === 'string' && moment !== '') {
    return moment as number | string
  }
  const given = typeof at === 'string' ? '""' : String(at)
  throw new TypeError(`at must be the number of a step, an instant of ISO 8601 or a Date, and is ${given}`)
}
