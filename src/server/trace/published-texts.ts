import type { Ports } from '../ports.ts'
import type { IsPublished } from './redaction.ts'

/** What fixtures publish is shorter, and a long text costs much to digest. */
const LONGEST_PUBLISHED = 256

/** Entries of one world share it, since each keeps it. */
const judges = new WeakMap<ReadonlySet<string>, IsPublished>()

export function judgeOf({ published, digests }: Pick<Ports, 'published' | 'digests'>): IsPublished {
  let judge = judges.get(published)
  if (!judge) {
    judge = (text) => text.length <= LONGEST_PUBLISHED && published.has(digests.sha256(text))
    judges.set(published, judge)
  }
  return judge
}
