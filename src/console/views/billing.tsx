import { useState } from 'preact/hooks'
import { useLoad } from '../hooks.ts'
import { Field } from '../parts/field.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { Split } from '../parts/split.tsx'
import { Badge, Empty, Loading, Refusal } from '../parts/state.tsx'
import { linkTo } from '../route.ts'
import { toMinute } from '../text.ts'
import type { Page, Purchase } from '../types.ts'
import { NewPurchase } from './new-purchase.tsx'
import { type Standing, toPeriod } from './purchases.ts'
import { PurchaseDetail } from './purchase-detail.tsx'
import { Button } from '../parts/button.tsx'

/** What was sold, and how each purchase goes on as time does. */
export function Billing({ id }: { id: string | undefined }) {
  const { data, error } = useLoad<Page<Purchase & Standing>>('purchases?limit=100')
  const sellers = useLoad<Page<{ secret: string; name: string }>>('records/sellers?limit=100')
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
    <Split
      title="Billing"
      actions={
        <Button aria-expanded={selling} onClick={() => setSelling(!selling)}>
          Sell a subscription
        </Button>
      }
      opened={id === undefined ? null : <PurchaseDetail key={id} id={id} nameOf={nameOf} />}
    >
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
              <Badge tone={purchase.cancellation ? 'warn' : 'good'}>
                {purchase.cancellation ? 'cancelled' : 'active'}
              </Badge>
              <span>
                {purchase.itemID}, {purchase.price} {purchase.currency} each {toPeriod(purchase)}
              </span>
              <time dateTime={purchase.paidUntil}>
                {purchase.cancellation ? 'ends' : 'paid until'} {toMinute(purchase.paidUntil).slice(0, 10)}
              </time>
            </a>
          </li>
        ))}
      </ul>
      <Pager {...pages} />
    </Split>
  )
}
