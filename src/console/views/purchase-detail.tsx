import { useState } from 'preact/hooks'
import { call, get } from '../api.ts'
import { useAct, useAnswer, useLoad, useWorldNow } from '../hooks.ts'
import { Choice, Facts } from '../parts/field.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { Detail } from '../parts/split.tsx'
import { Badge, Loading, Refusal } from '../parts/state.tsx'
import { linkTo } from '../route.ts'
import { toDistance, toMinute } from '../text.ts'
import type { Page, Purchase } from '../types.ts'
import { type Payment, type Payments, reasons, toPeriod } from './purchases.ts'
import { Timeline } from './timeline.tsx'
import { Form } from '../parts/form.tsx'

const SHOWN = 100

export function PurchaseDetail({ id, nameOf }: { id: string; nameOf(secret: string): string }) {
  const path = encodeURIComponent(id)
  const { data: purchase, error } = useLoad<Purchase>(`records/purchases/${path}`)
  const payments = useAnswer(id, () => loadPayments(path))
  const now = useWorldNow(5000) ?? 0
  const pages = usePages(payments.data?.items ?? [], 10)
  return (
    <Detail label="Purchase" back={linkTo('billing')}>
      <h2>{id}</h2>
      <Refusal error={error ?? payments.error} />
      {(purchase && payments.data) || error ? null : <Loading />}
      {purchase && payments.data ? (
        <>
          <Timeline purchase={purchase} payments={payments.data} now={now} />
          <Terms purchase={purchase} payments={payments.data} seller={nameOf(purchase.sellerSecret)} now={now} />
          {payments.data.cancellation ? null : <Cancel path={path} />}
          <h3>Payments</h3>
          <table class="plain">
            <thead>
              <tr>
                <th>Number</th>
                <th>At</th>
                <th>Price</th>
                <th>Order id</th>
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
          {payments.data.items.length === 0 ? <p class="hint">None so far.</p> : null}
          <Pager {...pages} />
        </>
      ) : null}
    </Detail>
  )
}

/** The newest hundred. */
async function loadPayments(path: string): Promise<Payments> {
  const { totalCount } = await get<Page<Payment>>(`purchases/${path}/payments?limit=1`)
  const offset = Math.max(0, totalCount - SHOWN)
  const page = await get<Payments>(`purchases/${path}/payments?limit=${SHOWN}&offset=${offset}`)
  return { ...page, items: page.items.toReversed() }
}

function Terms({
  purchase,
  payments,
  seller,
  now,
}: {
  purchase: Purchase
  payments: Payments
  seller: string
  now: number
}) {
  const { itemID, price, currency, country, freeTrial, tiers, purchasedAt } = purchase
  const { nextPaymentAt, totalCount, cancellation, paidUntil } = payments
  const reason = reasons.find(([number]) => number === cancellation?.reason)?.[1]
  return (
    <Facts>
      {[
        ['Status', <Badge tone={cancellation ? 'warn' : 'good'}>{cancellation ? 'CANCEL' : 'ACTIVE'}</Badge>],
        ['Seller', seller],
        ['Item', itemID],
        ['Price', `${price} ${currency} each ${toPeriod(purchase)}, ${country}`],
        ['Free trial', freeTrial],
        ['Low tier', tiers && `${tiers.price} ${currency} for the first ${tiers.payments}`],
        ['Bought', toMinute(purchasedAt)],
        ['Payments', String(totalCount)],
        ['Next payment', nextPaymentAt && `${toMinute(nextPaymentAt)}, ${toDistance(Date.parse(nextPaymentAt), now)}`],
        [cancellation ? 'Ends' : 'Paid until', `${toMinute(paidUntil)}, ${toDistance(Date.parse(paidUntil), now)}`],
        ['Cancelled', cancellation && `${toMinute(cancellation.at)}, reason ${reason}`],
      ]}
    </Facts>
  )
}

function Cancel({ path }: { path: string }) {
  const act = useAct()
  const [reason, setReason] = useState('1')
  return (
    <Form
      label="Cancel the purchase"
      class="row"
      onSubmit={() => {
        void act.run(() => call('POST', `purchases/${path}/cancel`, { reason }))
      }}
    >
      <Choice label="Reason" value={reason} onChoose={setReason} options={reasons} />
      <button type="submit" class="danger" aria-disabled={act.busy}>
        Cancel it
      </button>
      <Refusal error={act.error} />
    </Form>
  )
}
