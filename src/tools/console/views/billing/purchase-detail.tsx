import { useState } from 'preact/hooks'
import { api } from '../../address.ts'
import { useAct, useAnswer, useWorldNow } from '../../hooks.ts'
import { Ask } from '../../parts/button.tsx'
import { Choice, Facts } from '../../parts/field.tsx'
import { Pager, usePages } from '../../parts/pager.tsx'
import { Opened } from '../../parts/split.tsx'
import { Badge, Refusal } from '../../parts/state.tsx'
import { linkTo } from '../../route.ts'
import { toDistance, toMinute, toPrice } from '../../text.ts'
import type { Purchase } from '../../types.ts'
import { type Payments, reasons, toPeriod } from './purchases.ts'
import { Timeline } from './timeline.tsx'

const SHOWN = 100

interface Known {
  purchase: Purchase
  payments: Payments
}

export function PurchaseDetail({ id, nameOf }: { id: string; nameOf(secret: string): string }) {
  const known = useAnswer(id, () => load(id))
  const now = useWorldNow(5000) ?? 0
  return (
    <Opened label="Purchase" back={linkTo('billing')} of={known} gone="There is no such purchase any more.">
      {({ purchase, payments }) => (
        <>
          <h2>{id}</h2>
          <Timeline purchase={purchase} payments={payments} now={now} />
          <Terms purchase={purchase} payments={payments} seller={nameOf(purchase.sellerSecret)} now={now} />
          {payments.cancellation ? null : <Cancel id={id} />}
          <h3>Payments</h3>
          <PaymentTable payments={payments} />
        </>
      )}
    </Opened>
  )
}

/** A purchase may have thousands of payments, so the newest hundred are shown. */
async function load(id: string): Promise<Known> {
  const purchase = await api.records.get<Purchase>('purchases', id)
  const { totalCount } = await api.purchases.payments(id, { limit: 1 })
  const offset = Math.max(0, totalCount - SHOWN)
  const page = (await api.purchases.payments(id, { limit: SHOWN, offset })) as Payments
  return { purchase, payments: { ...page, items: page.items.toReversed() } }
}

function PaymentTable({ payments: { items } }: Pick<Known, 'payments'>) {
  const pages = usePages(items, 10)
  if (items.length === 0) return <p class="hint">None so far.</p>
  return (
    <>
      <table class="plain">
        <thead>
          <tr>
            {['Number', 'At', 'Price', 'Order id'].map((title) => (
              <th key={title}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pages.shown.map(({ number, at, price, plan, orderId }) => (
            <tr key={number}>
              <td>{number}</td>
              <td class="when">{toMinute(at)}</td>
              <td>
                {price} {plan === 'T' ? <Badge tone="calm">low tier</Badge> : null}
              </td>
              <td class="mono">{orderId}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pager {...pages} />
    </>
  )
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

/** A free trial is not paid. */
function toEnding({ nextPaymentAt, totalCount, paidUntil }: Payments, now: number): string {
  if (nextPaymentAt === undefined) return Date.parse(paidUntil) <= now ? 'Ended' : 'Ends'
  return totalCount === 0 ? 'Free until' : 'Paid until'
}

function Cancel({ id }: { id: string }) {
  const act = useAct()
  const [reason, setReason] = useState<string>('1')
  const given = reasons.find(([number]) => number === reason) ?? reasons[0]
  return (
    <div class="row" role="group" aria-label="Cancel the purchase">
      <Choice label="Reason" value={reason} onInput={setReason} options={reasons} />
      <Ask
        class="danger"
        label="Cancel it"
        question="Cancel it for good?"
        act={act}
        onYes={() => api.purchases.cancel(id, given[0])}
      />
      <Refusal error={act.error} />
    </div>
  )
}
