import type { Writer } from '../ports/store.ts'

export async function forgetOldest(kept: Writer<'sessions'> | Writer<'rateCounters'>, most: number): Promise<void> {
  if ((await kept.count()) < most) return
  const [oldest] = await kept.find({ orderBy: { field: 'since', direction: 'asc' }, limit: 1 })
  if (oldest) await kept.delete('identity' in oldest ? oldest.identity : oldest.caller)
}
