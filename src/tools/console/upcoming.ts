import { api } from './address.ts'
import { type Coming, readAll, useAnswer } from './live.ts'
import { linkTo } from './route.ts'
import { count } from './text.ts'
import type { ClockMove, ComingMove } from '../client/types.ts'
import type { RecordOf } from '#contract/records/collections.ts'

const describeMove: Readonly<Record<ComingMove['move'], string>> = {
  CONFIRMED: 'is confirmed',
  CANCELLED_BY_VENDOR: 'is closed by the vendor',
  TECHNICIAN_LATE: 'is delayed by one time window',
  PARTS_ORDERED: 'waits for parts',
  COMPLETED: 'is completed',
}

export const useComing = () => useAnswer('coming', loadComing, { keep: true })

/** `unread` contains the names of lists that were too long to read completely. */
export async function loadComing(): Promise<{ coming: Coming[]; unread: string[] }> {
  const [moves, bookings, purchases, tokens, scenarios] = await Promise.all([
    readAll(api.tickets.coming),
    readAll((page) => api.records.list<RecordOf<'bookings'>>('bookings', page)),
    readAll(api.purchases.list),
    readAll((page) => api.records.list<RecordOf<'accessTokens'>>('accessTokens', page)),
    api.scenarios.list({ limit: 100 }),
  ])
  const unread = Object.entries({ moves, appointments: bookings, purchases, tokens, scenarios })
    .filter(([, { items, totalCount }]) => items.length < totalCount)
    .map(([name, { items, totalCount }]) => `the first ${items.length} of ${totalCount} ${name}`)
  const coming = [
    purchases.items.flatMap(({ nextPaymentAt: at, purchaseID }) =>
      at === undefined ? [] : [toComing(at, `${purchaseID} renews`, linkTo('billing', purchaseID), 'renewal')],
    ),
    moves.items.map(({ at, srid, move }) =>
      toComing(at, `Request ${srid} ${describeMove[move]}`, linkTo('tickets', srid), 'ticket progressed'),
    ),
    bookings.items.map(({ startsAt, ascCode, srid }) =>
      toComing(startsAt, `Visit for ${srid} at ${ascCode}`, linkTo('tickets', srid), 'visit passed'),
    ),
    [...Map.groupBy(tokens.items, ({ expiresAt, user }) => `${expiresAt} ${user}`).values()].map((same) => {
      const [{ expiresAt, user }] = same as [RecordOf<'accessTokens'>]
      const what = same.length === 1 ? `A token of ${user} expires` : `${same.length} tokens of ${user} expire`
      return { ...toComing(expiresAt, what, linkTo('tokens'), TOKEN), number: same.length }
    }),
    scenarios.items.map(({ nextAt, nextStep, scenarioId }) =>
      toComing(nextAt, `Step ${nextStep + 1} of scenario ${scenarioId}`, linkTo('scenarios'), SCENARIO),
    ),
  ].flat()
  return { coming: coming.sort((a, b) => a.at - b.at), unread }
}

const SCENARIO = 'scenario step'
const TOKEN = 'token expired'
/** Plural forms, in the order in which a summary lists them. */
const kinds: Readonly<Record<string, string>> = {
  renewal: 'renewals',
  [SCENARIO]: 'scenario steps',
  'scheduled task': 'scheduled tasks',
  'ticket progressed': 'tickets progressed',
  [TOKEN]: 'tokens expired',
  'visit passed': 'visits passed',
}

function toComing(at: string | number, what: string, href: string, kind: string): Coming {
  return { at: new Date(at).getTime(), what, href, kind }
}

/** Includes the first scheduled event of each record, and every task that the server reports. */
export function findPassed(coming: readonly Coming[], { now, dueTasks }: ClockMove): Coming[] {
  const until = Date.parse(now)
  const before = coming.filter(({ at, kind }) => at <= until && kind !== SCENARIO)
  // The server reports the end of a stream with its token. The list already contains the token.
  const isListed = ({ at, what }: ClockMove['dueTasks'][number]) =>
    what.startsWith('access token') && before.some((each) => each.kind === TOKEN && each.at === Date.parse(at))
  const tasks = dueTasks
    .filter((task) => !isListed(task))
    .map(({ at, what }) =>
      what.startsWith('scenario')
        ? toComing(at, what, linkTo('scenarios'), SCENARIO)
        : toComing(at, what, linkTo('streams'), 'scheduled task'),
    )
  return [...before, ...tasks].sort((a, b) => a.at - b.at)
}

/** Returns text such as `3 renewals, 1 token expired`. */
export function summarizePassed(passed: readonly Coming[]): string {
  const counts = Object.entries(kinds)
    .map(([kind, plural]) => {
      const found = passed.filter((each) => each.kind === kind).reduce((sum, { number = 1 }) => sum + number, 0)
      return [found, kind, plural] as const
    })
    .filter(([found]) => found > 0)
    .map((each) => count(...each))
  return counts.join(', ') || 'nothing was due'
}
