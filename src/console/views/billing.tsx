import { useState } from 'preact/hooks'
import { useLoad, useWorldNow } from '../hooks.ts'
import { Field } from '../parts/field.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { Badge, Empty, Loading, Refusal } from '../parts/state.tsx'
import { linkTo } from '../route.ts'
import { toMinute } from '../text.ts'
import type { Page } from '../types.ts'
import { NewPurchase } from './new-purchase.tsx'
import { findEnd, type Purchase, toPeriod } from './purchases.ts'
import { PurchaseDetail } from './purchase-detail.tsx'

/** What was sold, and how each purchase goes on as time does. */
export function Billing({ id }: { id: string | undefined }) {
  const { data, error } = useLoad<Page<Purchase>>('records/purchases?limit=100')
  const sellers = useLoad<Page<{ secret: string; name: string }>>('records/sellers?limit=100')
  const now = useWorldNow(5000) ?? 0
  const [text, setText] = useState('')
  const [selling, setSelling] = useState(false)
  const nameOf = (secret: string) => sellers.data?.items.find((seller) => seller.secret === secret)?.name ?? secret
  const fitting = (data?.items ?? []).filter((purchase) =>
    `${purchase.purchaseID} ${purchase.itemID} ${nameOf(purchase.sellerSecret)}`
      .toLowerCase()
      .includes(text.toLowerCase()),
  )
  const pages = usePages(fitting, 20)
  return (
    <section class={`split ${id === undefined ? '' : 'opened'}`}>
      <div class="list-side">
        <div class="title-row">
          <h1>Billing</h1>
          <button type="button" aria-expanded={selling} onClick={() => setSelling(!selling)}>
            Sell a subscription
          </button>
        </div>
        {selling ? <NewPurchase sellers={sellers.data?.items ?? []} onDone={() => setSelling(false)} /> : null}
        <div class="row filters">
          <Field label="Filter" grow value={text} onInput={setText} placeholder="purchase, item, seller" />
        </div>
        <Refusal error={error} />
        {!data && !error ? <Loading /> : null}
        {data && fitting.length === 0 ? <Empty title="No purchase fits." /> : null}
        <ul class="mails" aria-label="Purchases">
          {pages.shown.map((purchase) => (
            <li key={purchase.purchaseID}>
              <a
                href={linkTo('billing', purchase.purchaseID)}
                aria-current={purchase.purchaseID === id ? 'true' : undefined}
              >
                <strong>{purchase.purchaseID}</strong>
                <Badge tone={findEnd(purchase, now) ? 'warn' : 'good'}>
                  {findEnd(purchase, now) ? 'cancelled' : 'active'}
                </Badge>
                <span>
                  {purchase.itemID}, {purchase.price} {purchase.currency} each {toPeriod(purchase)}
                </span>
                <time dateTime={purchase.purchasedAt}>since {toMinute(purchase.purchasedAt).slice(0, 10)}</time>
              </a>
            </li>
          ))}
        </ul>
        <Pager {...pages} />
      </div>
      {id === undefined ? null : <PurchaseDetail key={id} id={id} nameOf={nameOf} />}
    </section>
  )
}
