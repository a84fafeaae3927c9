import { get } from '../api.ts'
import { useAnswer } from '../hooks.ts'
import { Pager, usePages } from '../parts/pager.tsx'
import { Empty, Loading, Refusal } from '../parts/state.tsx'
import { linkTo } from '../route.ts'
import { toDistance, toMinute } from '../text.ts'
import type { Page } from '../types.ts'

interface Coming {
  at: number
  what: string
  href: string
}

/** Payments are asked for one purchase at a time. */
const MOST_PURCHASES = 25

/** What the clock will meet next. */
export function ComingUp({ now }: { now: number }) {
  const { data, error } = useAnswer('coming', loadComing)
  const ahead = (data ?? []).filter(({ at }) => at > now).sort((a, b) => a.at - b.at)
  const pages = usePages(ahead, 12)
  return (
    <div class="panel">
      <h2>Coming up</h2>
      <Refusal error={error} />
      {data === undefined && !error ? <Loading /> : null}
      {data && ahead.length === 0 ? (
        <Empty title="Nothing is due: no payments, appointments or scenario steps." />
      ) : null}
      <table class="plain">
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
    </div>
  )
}

async function loadComing(): Promise<Coming[]> {
  const [bookings, purchases, scenarios] = await Promise.all([
    get<Page<{ startsAt: string; ascCode: string; srid: string }>>('records/bookings?limit=100'),
    get<Page<{ purchaseID: string }>>(`records/purchases?limit=${MOST_PURCHASES}`),
    get<Page<{ scenarioId: string; nextAt: string; nextStep: number }>>('scenarios?limit=100'),
  ])
  const payments = await Promise.all(
    purchases.items.map(async ({ purchaseID }) => {
      const path = `purchases/${encodeURIComponent(purchaseID)}/payments?limit=1`
      const { nextPaymentAt } = await get<{ nextPaymentAt?: string }>(path)
      return nextPaymentAt === undefined ? [] : [{ purchaseID, nextPaymentAt }]
    }),
  )
  return [
    ...payments.flat().map(({ purchaseID, nextPaymentAt }) => ({
      at: Date.parse(nextPaymentAt),
      what: `${purchaseID} is paid for again`,
      href: linkTo('billing', purchaseID),
    })),
    ...bookings.items.map(({ startsAt, ascCode, srid }) => ({
      at: Date.parse(startsAt),
      what: `Appointment of ${srid} at ${ascCode}`,
      href: linkTo('tickets', srid),
    })),
    ...scenarios.items.map(({ nextAt, nextStep, scenarioId }) => ({
      at: Date.parse(nextAt),
      what: `Step ${nextStep + 1} of scenario ${scenarioId}`,
      href: linkTo('devices'),
    })),
  ]
}
