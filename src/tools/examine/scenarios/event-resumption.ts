import type { JournalEntry } from '#tools/client/types.ts'
import { type Check, header, isEvidence, some, type Verdict } from '../check.ts'
import type { Transcript } from '../transcript.ts'
import { creations, opens } from './events-always.ts'

/** Includes the ID before the last, because a client that waits for LF after CR notices the last frame late. */
export function lastIdsBefore(transcript: Transcript, mark: string): (string | undefined)[] {
  const before = transcript.before(mark)
  const ids = before.frames().flatMap(({ frame }) => frame?.id ?? [])
  const [opened] = opens(before)
  return ids.length === 0 ? [undefined] : ids.slice(opened?.variation?.includes('sse-line-ends') ? -2 : -1)
}

export function displayedBy(entry: JournalEntry): string | undefined {
  return header(entry, 'last-event-id') ?? new URLSearchParams(entry.query ?? '').get('lastEventId') ?? undefined
}

export function resumesFrom(mark: string): Check['evaluate'] {
  return (transcript) => {
    const later = transcript.after(mark)
    const [back] = opens(later)
    if (back) return lastIdsBefore(transcript, mark).includes(displayedBy(back)) ? 'passed' : [back]
    const instead = later.requests()
    if (isEvidence(instead)) return instead
    const before = opens(transcript).length > 0 ? opens(transcript) : transcript.requests()
    return isEvidence(before) ? before : 'not covered'
  }
}

export const resumes = resumesFrom('disturbed')

export function comesBack(transcript: Transcript): Verdict {
  return opens(transcript).length === 0 ? 'not covered' : some(opens(transcript.after('disturbed')), opens(transcript))
}

export const createsAgain = succeedsAgain(creations)
export const opensAgain = succeedsAgain(opens)

function succeedsAgain(select: typeof opens): Check['evaluate'] {
  return (transcript) => {
    if (opens(transcript).length === 0) return 'not covered'
    const later = transcript.after('disturbed')
    const again = select(later).filter(({ status }) => status === 200)
    return some(again, later.requests().length > 0 ? later.requests() : opens(transcript))
  }
}

/** Entries after the first successful request belong to another stream. */
export function untilOpen(tries: readonly JournalEntry[]): readonly JournalEntry[] {
  const first = tries.findIndex(({ status }) => status === 200)
  return first < 0 ? tries : tries.slice(0, first + 1)
}
