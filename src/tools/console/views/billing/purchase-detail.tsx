import { useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { loaded, useAnswer, useWorldNow } from '#tools/console/live.ts'
import { Ask, Badge } from '#tools/console/parts/basics.tsx'
import { Choice, Facts } from '#tools/console/parts/form.tsx'
import { Opened } from '#tools/console/parts/split.tsx'
import { Table } from '#tools/console/parts/table.tsx'
import { linkTo } from '#tools/console/route.ts'
import { toDistance, toMinute, toPrice } from '#tools/console/text.ts'
import type { Page, Payment, SoldPurchase as Purchase, BillingState } from '#tools/client/types.ts'

const MAX_PAYMENTS = 100

interface Known {
  purchase: Purchase
  payments: Payments
}

export function PurchaseDetail({ id, nameOf }: { id: string; nameOf(secret: string): string }) {
  const known = useAnswer(id, () => load(id))
  const now = useWorldNow(5000) ?? 0
  return (
    <Opened label="Purchase" back={linkTo('billing')} of={known} gone="This purchase does not exist.">
      {({ purchase, payments }) => (
        <>
          <h2>{id}</h2>
          <Timeline purchase={purchase} payments={payments} now={now} />
          <Terms purchase={purchase} payments={payments} seller={nameOf(purchase.sellerSecret)} now={now} />
          {payments.cancellation ? null : <Cancel id={id} />}
          <h3>Payments</h3>
          <Table
            label="Payments"
            noun="payment"
            of={loaded(payments.items)}
            columns={[
              { title: 'Number', width: '5.5rem', value: ({ number }) => number },
              { title: 'At', width: '9.5rem', value: ({ at }) => at, cell: ({ at }) => toMinute(at) },
              {
                title: 'Price',
                value: ({ price }) => price,
                cell: ({ price, plan }) => (
                  <>
                    {price} {plan === 'T' ? <Badge tone="calm">low tier</Badge> : null}
                  </>
                ),
              },
              { title: 'Order ID', cell: ({ orderId }) => <span class="mono">{orderId}</span>, minor: true },
            ]}
            keyOf={({ number }) => number}
            empty="There are no payments yet."
          />
        </>
      )}
    </Opened>
  )
}

/** A purchase may have thousands of payments, so only the newest hundred are shown. */
async function load(id: string): Promise<Known> {
  const purchase = await api.records.get<Purchase>('purchases', id)
  const { totalCount } = await api.purchases.payments(id, { limit: 1 })
  const offset = Math.max(0, totalCount - MAX_PAYMENTS)
  const page = (await api.purchases.payments(id, { limit: MAX_PAYMENTS, offset })) as Payments
  return { purchase, payments: { ...page, items: page.items.toReversed() } }
}

function Terms({ purchase, payments, seller, now }: Known & { seller: string; now: number }) {
  const { itemID, price, currency, country, freeTrial, tiers, purchasedAt } = purchase
  const { nextPaymentAt, totalCount, cancellation, paidUntil } = payments
  const reason = reasons.find(([number]) => number === cancellation?.reason)?.[1]
  const toCome = (at: string) => `${toMinute(at)}, ${toDistance(Date.parse(at), now)}`
  return (
    <Facts>
      {[
        ['Status', <Badge tone={cancellation ? 'warn' : 'good'}>{cancellation ? 'CANCEL' : 'ACTIVE'}</Badge>],
        ['Seller', seller],
        ['Item', itemID],
        ['Price', `${toPrice(price, currency)} each ${toPeriod(purchase)}, ${country}`],
        ['Free trial', freeTrial],
        ['Low tier', tiers && `${toPrice(tiers.price, currency)} for the first ${tiers.payments}`],
        ['Bought', toMinute(purchasedAt)],
        ['Payments', String(totalCount)],
        ['Next payment', nextPaymentAt && toCome(nextPaymentAt)],
        [toEnding(payments, now), toCome(paidUntil)],
        ['Canceled', cancellation && `${toMinute(cancellation.at)}, reason ${reason}`],
      ]}
    </Facts>
  )
}

/** If a purchase has no payments, it is a free trial. */
function toEnding({ nextPaymentAt, totalCount, paidUntil }: Payments, now: number): string {
  if (nextPaymentAt === undefined) return Date.parse(paidUntil) <= now ? 'Ended' : 'Ends'
  return totalCount === 0 ? 'Free until' : 'Paid until'
}

function Cancel({ id }: { id: string }) {
  const [reason, setReason] = useState<(typeof reasons)[number][0]>('1')
  return (
    <div class="row" role="group" aria-label="Cancel the purchase">
      <Choice
        label="Reason"
        value={reason}
        onInput={(chosen) => setReason(chosen as typeof reason)}
        options={reasons}
      />
      <Ask
        class="danger"
        label="Cancel purchase"
        question="Cancel this purchase? This cannot be undone."
        done={`Cancelled ${id}`}
        onYes={() => api.purchases.cancel(id, reason)}
      />
    </div>
  )
}

/** Pixels: the height of the timeline and the position of its axis. */
const [HEIGHT, AXIS] = [112, 40]

function Timeline({ purchase, payments, now }: { purchase: Purchase; payments: Payments; now: number }) {
  const paid = payments.items.slice(0, 24)
  const start = Date.parse(paid.length < payments.totalCount ? (paid.at(-1)?.at ?? '') : purchase.purchasedAt)
  const next = payments.nextPaymentAt === undefined ? undefined : Date.parse(payments.nextPaymentAt)
  const cancelled = payments.cancellation && Date.parse(payments.cancellation.at)
  const end = Math.max(next ?? Date.parse(payments.paidUntil), cancelled ?? 0, start + 1)
  const x = (at: number) => 3 + (94 * (Math.max(at, start) - start)) / (end - start)
  // If the timeline covers several days, dates are more useful than times of day.
  const isLong = end - start > 3 * 86_400_000
  const label = [
    `${payments.totalCount} payments since ${toMinute(purchase.purchasedAt)}`,
    next === undefined ? 'no more payments' : `the next at ${toMinute(next)}`,
    `the clock is at ${toMinute(now)}`,
  ].join(', ')
  return (
    <svg class="timeline" height={HEIGHT} role="img" aria-label={label}>
      <g stroke-width="3">
        <line stroke="var(--border)" x1="3%" x2="97%" y1={AXIS} y2={AXIS} />
        <line stroke="var(--primary)" x1="3%" x2={`${x(Math.min(now, end))}%`} y1={AXIS} y2={AXIS} />
      </g>
      <Label x={3} y={AXIS + 46} text={toMinute(start).slice(0, 10)} />
      {paid.map(({ number, plan, price, at }, index) => (
        <g key={number}>
          <circle cx={`${x(Date.parse(at))}%`} cy={AXIS} r={6} fill={plan === 'T' ? 'var(--calm)' : 'var(--primary)'} />
          {index === 0 || index === paid.length - 1 ? (
            <text text-anchor="middle" x={`${x(Date.parse(at))}%`} y={AXIS + 24}>
              {number}
            </text>
          ) : null}
          <title>{`Payment ${number}: ${price} at ${toMinute(at)}`}</title>
        </g>
      ))}
      {next === undefined ? null : (
        <>
          <circle cx={`${x(next)}%`} cy={AXIS} r={6} fill="var(--card)" stroke="var(--primary)" stroke-width="2" />
          <Label x={97} y={AXIS + 46} text={`next ${toMinute(next).slice(isLong ? 0 : 11, isLong ? 10 : 16)}`} />
        </>
      )}
      {cancelled === undefined ? null : (
        <>
          <svg x={`${x(cancelled)}%`} y={AXIS} overflow="visible" aria-hidden="true">
            <path d="M-6-6 6 6m0-12-12 12" stroke="var(--danger)" stroke-width="3" />
          </svg>
          <Label x={x(cancelled)} y={AXIS + 66} text="cancelled" />
        </>
      )}
      {now > end ? null : (
        <>
          <line x1={`${x(now)}%`} x2={`${x(now)}%`} y1={20} y2={AXIS} stroke="var(--danger)" stroke-dasharray="4 3" />
          <Label x={x(now)} y={14} text={toMinute(now)} />
        </>
      )}
    </svg>
  )
}

/** A label near an end of the axis stays inside the timeline. */
function Label({ x, y, text }: { x: number; y: number; text: string }) {
  return (
    <text text-anchor={x > 80 ? 'end' : x < 20 ? 'start' : 'middle'} x={`${x}%`} y={y}>
      {text}
    </text>
  )
}

type Payments = Page<Payment> & BillingState

/** The numbers of the reasons are defined in document 3, section 2. */
const reasons = [
  ['1', '1, by the user'],
  ['2', '2, by the system'],
  ['3', '3, billing error'],
  ['4', '4, item not available'],
  ['5', '5, unknown error'],
] as const

const periods: Readonly<Record<string, string>> = { P1M: 'month', P1Y: 'year', P1W: 'week', P7D: 'week', P1D: 'day' }

export function toPeriod({ period, realMode }: Pick<Purchase, 'period' | 'realMode'>): string {
  return realMode === 'N' ? '10 minutes (a test)' : (periods[period] ?? period)
}

type Dated = Pick<Purchase, 'realMode'> & Pick<BillingState, 'paidUntil' | 'nextPaymentAt' | 'cancellation'>

export function toBillingState({ realMode, paidUntil, nextPaymentAt, cancellation }: Dated, now: number) {
  const day = realMode === 'N' ? toMinute(paidUntil) : toMinute(paidUntil).slice(0, 10)
  const hasEnded = nextPaymentAt === undefined && Date.parse(paidUntil) <= now
  const word = hasEnded ? 'ended' : nextPaymentAt === undefined ? 'ends' : 'next payment'
  return { state: hasEnded ? 'ended' : cancellation ? 'cancelled' : 'active', until: `${word} ${day}`, hasEnded }
}
