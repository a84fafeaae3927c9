import { api } from './address.ts'
import { readAll } from './hooks.ts'
import type { Coming } from './live.ts'
import { linkTo } from './route.ts'
import { count } from './text.ts'
import type { ClockMove, ComingMove, RecordOf } from './types.ts'

/** Tickets change by themselves only where `ticket-progress` is auto. */
const moveWords: Readonly<Record<ComingMove['move'], string>> = {
  CONFIRMED: 'is confirmed',
  CANCELLED_BY_VENDOR: 'is closed by the vendor',
  TECHNICIAN_LATE: 'is late by a window',
  PARTS_ORDERED: 'waits for parts',
  COMPLETED: 'is completed',
}

const readPurchases = () => readAll(api.purchases.list)

export async function loadRenewals(): Promise<{ at: number; purchaseID: string }[]> {
  return toRenewals(await readPurchases())
}

function toRenewals({ items }: Awaited<ReturnType<typeof readPurchases>>) {
  return items
    .flatMap(({ purchaseID, nextPaymentAt }) =>
      nextPaymentAt === undefined ? [] : [{ at: Date.parse(nextPaymentAt), purchaseID }],
    )
    .sort((a, b) => a.at - b.at)
}

/** `unread` names lists that were too long to read. */
export async function loadComing(): Promise<{ coming: Coming[]; unread: string[] }> {
  const [moves, bookings, purchases, tokens, scenarios] = await Promise.all([
    readAll(api.tickets.coming),
    readAll((page) => api.records.list<RecordOf<'bookings'>>('bookings', page)),
    readPurchases(),
    readAll((page) => api.records.list<RecordOf<'accessTokens'>>('accessTokens', page)),
    api.scenarios.list({ limit: 100 }),
  ])
  const unread = Object.entries({ moves, appointments: bookings, purchases, tokens, scenarios })
    .filter(([, { items, totalCount }]) => items.length < totalCount)
    .map(([name, { items, totalCount }]) => `the first ${items.length} of ${totalCount} ${name}`)
  const coming: Coming[] = [
    ...toRenewals(purchases).map(({ at, purchaseID }) => ({
      at,
      what: `${purchaseID} renews`,
      href: linkTo('billing', purchaseID),
      kind: ['renewal', 'renewals'] as const,
    })),
    ...moves.items.map(({ at, srid, move }) => ({
      at: Date.parse(at),
      what: `Request ${srid} ${moveWords[move]}`,
      href: linkTo('tickets', srid),
      kind: ['ticket progressed', 'tickets progressed'] as const,
    })),
    ...bookings.items.map(({ startsAt, ascCode, srid }) => ({
      at: Date.parse(startsAt),
      what: `Visit of ${srid} at ${ascCode}`,
      href: linkTo('tickets', srid),
      kind: ['visit passed', 'visits passed'] as const,
    })),
    ...tokens.items.map(({ expiresAt, user }) => ({
      at: Date.parse(expiresAt),
      what: `A token of ${user} expires`,
      href: linkTo('tokens'),
      kind: ['token expired', 'tokens expired'] as const,
    })),
    ...scenarios.items.map(({ nextAt, nextStep, scenarioId }) => ({
      at: Date.parse(nextAt),
      what: `Step ${nextStep + 1} of scenario ${scenarioId}`,
      href: linkTo('scenarios'),
      kind: SCENARIO,
    })),
  ]
  return { coming: coming.sort((a, b) => a.at - b.at), unread }
}

const SCENARIO = ['scenario step', 'scenario steps'] as const

/**
 * What a move of the clock passed: the first of what was coming for each record, and every scheduled task that the
 * server reports.
 */
export function findPassed(coming: readonly Coming[], { now, dueTasks }: ClockMove): Coming[] {
  const until = Date.parse(now)
  const tasks = dueTasks.map(({ at, what }) => {
    const isScenario = what.startsWith('scenario')
    const kind = isScenario ? SCENARIO : (['scheduled task', 'scheduled tasks'] as const)
    return { at: Date.parse(at), what, kind, href: linkTo(isScenario ? 'scenarios' : 'streams') }
  })
  const before = coming.filter(({ at, kind }) => at <= until && kind !== SCENARIO)
  return [...before, ...tasks].sort((a, b) => a.at - b.at)
}

/** `3 renewals, 1 token expired`, in the order of the alphabet. */
export function summarizePassed(passed: readonly Coming[]): string {
  const kinds = new Map(passed.map(({ kind }) => [kind[0], kind]))
  const counts = [...kinds.values()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map((kind) => count(passed.filter((each) => each.kind[0] === kind[0]).length, ...kind))
  return counts.join(', ') || 'nothing was due'
}
