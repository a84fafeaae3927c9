import { useState } from 'preact/hooks'
import { api } from '../../address.ts'
import { readAll, useAnswer, useRecords, useWorldNow } from '../../hooks.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Pager, usePages } from '../../parts/pager.tsx'
import { Split } from '../../parts/split.tsx'
import { Badge } from '../../parts/state.tsx'
import { linkTo } from '../../route.ts'
import { toPrice } from '../../text.ts'
import { NewPurchase } from './new-purchase.tsx'
import { PurchaseDetail } from './purchase-detail.tsx'
import { toPeriod, toStanding } from './purchases.ts'

export function Billing({ id }: { id: string | undefined }) {
  const purchases = useAnswer('purchases', () => readAll(api.purchases.list))
  const sellers = useRecords('sellers')
  const now = useWorldNow(60_000) ?? 0
  const [text, setText] = useState('')
  const [selling, setSelling] = useState(false)
  const nameOf = (secret: string) => sellers.data?.items.find((seller) => seller.secret === secret)?.name ?? secret
  const fitting = (purchases.data?.items ?? []).filter(({ purchaseID, itemID, sellerSecret }) =>
    `${purchaseID} ${itemID} ${nameOf(sellerSecret)}`.toLowerCase().includes(text.toLowerCase()),
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
      <div class="row">
        <Field label="Filter" grow value={text} onInput={setText} placeholder="purchase, item, seller" />
      </div>
      <List
        label="Purchases"
        kind="links"
        of={{ ...purchases, data: purchases.data && { items: pages.shown } }}
        empty="No purchase fits."
      >
        {(purchase) => {
          const { purchaseID, itemID, price, currency, cancellation, paidUntil } = purchase
          const { state, until, hasEnded } = toStanding(purchase, now)
          return (
            <Row key={purchaseID} href={linkTo('billing', purchaseID)} opened={purchaseID === id}>
              <strong>{purchaseID}</strong>
              <Badge tone={hasEnded ? 'plain' : cancellation ? 'warn' : 'good'}>{state}</Badge>
              <span>
                {itemID}, {toPrice(price, currency)} each {toPeriod(purchase)}
              </span>
              <time dateTime={paidUntil}>{until}</time>
            </Row>
          )
        }}
      </List>
      <Pager {...pages} />
      {purchases.data && purchases.data.totalCount > purchases.data.items.length ? (
        <p class="hint">The first {purchases.data.items.length} purchases show here; all are under Data.</p>
      ) : null}
    </Split>
  )
}
