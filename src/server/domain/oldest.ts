import type { Writer } from '../ports/store.ts'

/** Makes room for another where there are as many as may be kept: the memory of a world has a bound. */
export async function forgetOldest(kept: Writer<'sessions'> | Writer<'rateCounters'>, most: number): Promise<void> {
  if ((await kept.count()) < most) return
  const [oldest] = await kept.find({ orderBy: { field: 'since', direction: 'asc' }, limit: 1 })
  if (oldest) await kept.delete('identity' in oldest ? oldest.identity : oldest.caller)
}
