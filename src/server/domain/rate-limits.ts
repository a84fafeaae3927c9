import type { RateLimit } from '#contract/records/control/choice-values.ts'
import { millisecondsOf } from '#contract/records/duration.ts'
import type { Ports } from '../ports.ts'
import { forgetOldest } from './oldest.ts'

/** Maximum number of callers in the store. The oldest are deleted first. */
const MOST_CALLERS = 10_000

export interface Counted {
  refused: boolean
  requests: number
  left: number
  /** `window` is the length of the period in seconds, and `seconds` is the time until its end. */
  window: number
  seconds: number
}

/** Choice `rate-limit`. A period starts with the first request of the caller. Rejected requests are not counted. */
export function countCall({ store, clock }: Ports, caller: string, limit: RateLimit): Promise<Counted> {
  const { requests } = limit
  const per = millisecondsOf(limit.per)
  const of = `${requests} per ${limit.per}`
  return store.transaction(async (tx) => {
    const now = clock.now()
    const kept = await tx.rateCounters.get(caller)
    const begun = kept ? Date.parse(kept.since) : now
    const isCurrent = kept?.limit === of && begun <= now && now < begun + per
    const since = isCurrent ? begun : now
    const before = isCurrent ? kept.requests : 0
    const refused = before >= requests
    if (!refused) {
      if (!kept) await forgetOldest(tx.rateCounters, MOST_CALLERS)
      await tx.rateCounters.put({ caller, since: new Date(since).toISOString(), requests: before + 1, limit: of })
    }
    const left = refused ? 0 : requests - before - 1
    return { refused, requests, left, window: Math.ceil(per / 1000), seconds: Math.ceil((since + per - now) / 1000) }
  })
}
