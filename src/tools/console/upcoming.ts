import { api } from './address.ts'
import { type Coming, readAll, useAnswer } from './live.ts'
import { linkTo } from './route.ts'
import { count } from './text.ts'
import type { ClockMove, ComingMove, PurchaseWithState } from '../client/types.ts'
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
export async function loadComing() {
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
    purchases.items.map((purchase) =>
      purchase.nextPaymentAt === undefined ? toEnd(purchase) : toRenewal(purchase, purchase.nextPaymentAt),
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
      return toComing(expiresAt, what, linkTo('tokens'), TOKEN, same.length)
    }),
    scenarios.items.map(({ nextAt, nextStep, scenarioId }) =>
      toComing(nextAt, `Step ${nextStep + 1} of scenario ${scenarioId}`, linkTo('scenarios'), SCENARIO),
    ),
  ].flat()
  return { coming: coming.sort((a, b) => a.at - b.at), unread, purchases: purchases.items }
}

const isOver = ({ nextPaymentAt, paidUntil }: PurchaseWithState, at: number) =>
  nextPaymentAt === undefined && Date.parse(paidUntil) <= at
const toEnd = ({ purchaseID, paidUntil }: PurchaseWithState) =>
  toComing(paidUntil, `${purchaseID} ends`, linkTo('billing', purchaseID), END)
const toRenewal = ({ purchaseID }: PurchaseWithState, at: string, times = 1) => {
  const what = `${purchaseID} renews${times > 1 ? ` ${times} times` : ''}`
  return toComing(at, what, linkTo('billing', purchaseID), RENEWAL, times)
}

const RENEWAL = 'renewal'
const END = 'purchase ended'
const SCENARIO = 'scenario step'
const TOKEN = 'token expired'
const STREAM = 'stream ended'
const SIMULATION = 'simulation step'
/** Plural forms, in the order in which a summary lists them. */
const kinds: Readonly<Record<string, string>> = {
  [RENEWAL]: 'renewals',
  [END]: 'purchases ended',
  [SCENARIO]: 'scenario steps',
  [SIMULATION]: 'simulation steps',
  [STREAM]: 'streams ended',
  'ticket progressed': 'tickets progressed',
  [TOKEN]: 'tokens expired',
  'visit passed': 'visits passed',
}

function toComing(at: string | number, what: string, href: string, kind: string, number = 1): Coming {
  return { at: new Date(at).getTime(), what, href, kind, number }
}

/** `before` is the state at the time `from`. A purchase can renew repeatedly, so its states are compared. */
export async function findPassed(before: Awaited<ReturnType<typeof loadComing>>, from: number, move: ClockMove) {
  const until = Date.parse(move.now)
  const after = new Map((await readAll(api.purchases.list)).items.map((each) => [each.purchaseID, each]))
  const ofPurchases = before.purchases.flatMap((purchase) => {
    const { nextPaymentAt, payments, purchaseID } = purchase
    const now = after.get(purchaseID)
    if (!now) return []
    const paid = now.payments - payments
    const hasEnded = !isOver(purchase, from) && isOver(now, until)
    return [
      ...(nextPaymentAt && paid > 0 ? [toRenewal(now, nextPaymentAt, paid)] : []),
      ...(hasEnded ? [toEnd(now)] : []),
    ]
  })
  const listed = before.coming.filter(
    ({ at, kind }) => at > from && at <= until && ![RENEWAL, END, SCENARIO].includes(kind),
  )
  // The server reports the end of a stream with its token. The list already contains the token.
  const isListed = ({ at, what }: ClockMove['dueTasks'][number]) =>
    what.startsWith('access token') && listed.some((each) => each.kind === TOKEN && each.at === Date.parse(at))
  const tasks = move.dueTasks.filter((task) => !isListed(task)).map(({ at, what }) => toTask(at, what))
  const rest = move.due - move.dueTasks.length
  if (rest > 0) tasks.push(toComing(move.now, `${rest} more scenario steps`, linkTo('scenarios'), SCENARIO, rest))
  return [...ofPurchases, ...listed, ...tasks].sort((a, b) => a.at - b.at)
}

function toTask(at: string, what: string): Coming {
  if (what.startsWith('scenario')) return toComing(at, what, linkTo('scenarios'), SCENARIO)
  if (what.includes('simulation')) return toComing(at, 'Step of the device simulation', linkTo('devices'), SIMULATION)
  return toComing(at, what, linkTo('streams'), STREAM)
}

/** Returns text such as `3 renewals, 1 token expired`. */
export function summarizePassed(passed: readonly Coming[]): string {
  const counts = Object.entries(kinds)
    .map(([kind, plural]) => {
      const found = passed.filter((each) => each.kind === kind).reduce((sum, { number }) => sum + number, 0)
      return [found, kind, plural] as const
    })
    .filter(([found]) => found > 0)
    .map((each) => count(...each))
  return counts.join(', ') || 'nothing was due'
}
