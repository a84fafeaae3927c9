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

/** Position of the axis of the timeline in pixels. */
const AXIS = 40

interface Dot {
  at: string
  color: string
  text: string | number
  /** Position of the text in pixels. */
  y: number
}

function Timeline({ purchase, payments, now }: { purchase: Purchase; payments: Payments; now: number }) {
  const { nextPaymentAt: next, cancellation, paidUntil, totalCount } = payments
  const paid = payments.items.slice(0, 24)
  const begin = (paid.length < totalCount ? paid.at(-1)?.at : undefined) ?? purchase.purchasedAt
  const start = Date.parse(begin)
  const end = Math.max(Date.parse(next ?? paidUntil), Date.parse(cancellation?.at ?? begin), start + 1)
  const x = (at: number) => `${3 + (94 * (Math.max(at, start) - start)) / (end - start)}%`
  const dots: Dot[] = paid.map(({ number, plan, at }, index) => ({
    at,
    color: plan === 'T' ? 'var(--calm)' : 'var(--primary)',
    text: index === 0 || index === paid.length - 1 ? number : '',
    y: 64,
  }))
  if (next !== undefined) dots.push({ at: next, color: 'var(--input)', text: `next ${toMinute(next)}`, y: 86 })
  if (cancellation) dots.push({ at: cancellation.at, color: 'var(--danger)', text: 'cancelled', y: 106 })
  const label = [
    `${totalCount} payments since ${toMinute(purchase.purchasedAt)}`,
    next === undefined ? 'no more payments' : `the next at ${toMinute(next)}`,
    `the clock is at ${toMinute(now)}`,
  ].join(', ')
  return (
    <svg class="timeline" height="112" role="img" aria-label={label}>
      <g stroke-width="3">
        <line stroke="var(--border)" x1="3%" x2="97%" y1={AXIS} y2={AXIS} />
        <line stroke="var(--primary)" x1="3%" x2={x(Math.min(now, end))} y1={AXIS} y2={AXIS} />
      </g>
      <Label x="3%" y={86} text={toMinute(begin)} />
      {dots.map(({ at, color, text, y }) => (
        <g key={at + color}>
          <circle cx={x(Date.parse(at))} cy={AXIS} r={6} fill={color} />
          <Label x={x(Date.parse(at))} y={y} text={text} />
        </g>
      ))}
      {now > end ? null : (
        <>
          <line stroke="var(--danger)" stroke-dasharray="4 3" x1={x(now)} x2={x(now)} y1={20} y2={AXIS} />
          <Label x={x(now)} y={14} text={toMinute(now)} />
        </>
      )}
    </svg>
  )
}

/** A long label near an end of the axis stays inside the timeline. */
function Label({ x, y, text }: { x: string } & Pick<Dot, 'y' | 'text'>) {
  const isShort = String(text).length < 4
  return (
    <text
      text-anchor={isShort ? 'middle' : parseFloat(x) > 75 ? 'end' : parseFloat(x) < 25 ? 'start' : 'middle'}
      x={x}
      y={y}
    >
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

function toPeriod({ period, realMode }: Pick<Purchase, 'period' | 'realMode'>): string {
  return realMode === 'N' ? '10 minutes (a test)' : (periods[period] ?? period)
}

type Dated = Pick<Purchase, 'realMode'> & Pick<BillingState, 'paidUntil' | 'nextPaymentAt' | 'cancellation'>

export function toBillingState({ realMode, paidUntil, nextPaymentAt, cancellation }: Dated, now: number) {
  const day = realMode === 'N' ? toMinute(paidUntil) : toMinute(paidUntil).slice(0, 10)
  const hasEnded = nextPaymentAt === undefined && Date.parse(paidUntil) <= now
  const word = hasEnded ? 'ended' : nextPaymentAt === undefined ? 'ends' : 'next payment'
  return { state: hasEnded ? 'ended' : cancellation ? 'cancelled' : 'active', until: `${word} ${day}`, hasEnded }
}
