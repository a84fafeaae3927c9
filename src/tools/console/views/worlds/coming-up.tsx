import { api } from '../../address.ts'
import { readAll, useAnswer } from '../../hooks.ts'
import { Pager, usePages } from '../../parts/pager.tsx'
import { Empty, Loading, Refusal } from '../../parts/state.tsx'
import { linkTo } from '../../route.ts'
import { toDistance, toMinute } from '../../text.ts'
import type { ComingMove, RecordOf } from '../../types.ts'

interface Coming {
  at: number
  what: string
  href: string
}

export function ComingUp({ now, size = 12 }: { now: number; size?: number }) {
  const { data, error } = useAnswer('coming', loadComing)
  const ahead = (data?.coming ?? []).filter(({ at }) => at > now).sort((a, b) => a.at - b.at)
  const pages = usePages(ahead, size)
  return (
    <section class="panel" aria-label="Coming up">
      <h2>Coming up</h2>
      <Refusal error={error} />
      {data === undefined && !error ? <Loading /> : null}
      {data && ahead.length === 0 ? (
        <Empty title="Nothing is due: no payments, appointments or scenario steps." />
      ) : null}
      <table class="plain coming">
        <tbody>
          {pages.shown.map(({ at, what, href }) => (
            <tr key={`${at} ${what}`}>
              <td class="when">{toMinute(at)}</td>
              <td>
                <a href={href}>{what}</a>
              </td>
              <td class="far">{toDistance(at, now)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pager {...pages} />
      {data?.unread.map((each) => (
        <p class="hint">Only {each} are looked at.</p>
      ))}
    </section>
  )
}

/** Tickets move by themselves only where `ticket-progress` is auto. */
const moveWords: Readonly<Record<ComingMove['move'], string>> = {
  CONFIRMED: 'is confirmed',
  CANCELLED_BY_VENDOR: 'is closed by the vendor',
  TECHNICIAN_LATE: 'is late by a window',
  PARTS_ORDERED: 'waits for parts',
  COMPLETED: 'is completed',
}

export async function loadRenewals(): Promise<{ at: number; purchaseID: string }[]> {
  return toRenewals(await readPurchases())
}

const readPurchases = () => readAll(api.purchases.list)

function toRenewals({ items }: Awaited<ReturnType<typeof readPurchases>>) {
  return items
    .flatMap(({ purchaseID, nextPaymentAt }) =>
      nextPaymentAt === undefined ? [] : [{ at: Date.parse(nextPaymentAt), purchaseID }],
    )
    .sort((a, b) => a.at - b.at)
}

/** `unread` names lists that were too long to read. */
async function loadComing(): Promise<{ coming: Coming[]; unread: string[] }> {
  const [moves, bookings, purchases, scenarios] = await Promise.all([
    readAll(api.tickets.coming),
    readAll((page) => api.records.list<RecordOf<'bookings'>>('bookings', page)),
    readPurchases(),
    api.scenarios.list({ limit: 100 }),
  ])
  const unread = Object.entries({ moves, appointments: bookings, purchases, scenarios })
    .filter(([, { items, totalCount }]) => items.length < totalCount)
    .map(([name, { items, totalCount }]) => `the first ${items.length} of ${totalCount} ${name}`)
  const coming = [
    ...toRenewals(purchases).map(({ at, purchaseID }) => ({
      at,
      what: `${purchaseID} renews`,
      href: linkTo('billing', purchaseID),
    })),
    ...moves.items.map(({ at, srid, move }) => ({
      at: Date.parse(at),
      what: `Request ${srid} ${moveWords[move]}`,
      href: linkTo('tickets', srid),
    })),
    ...bookings.items.map(({ startsAt, ascCode, srid }) => ({
      at: Date.parse(startsAt),
      what: `Visit of ${srid} at ${ascCode}`,
      href: linkTo('tickets', srid),
    })),
    ...scenarios.items.map(({ nextAt, nextStep, scenarioId }) => ({
      at: Date.parse(nextAt),
      what: `Step ${nextStep + 1} of scenario ${scenarioId}`,
      href: linkTo('scenarios'),
    })),
  ]
  return { coming, unread }
}
