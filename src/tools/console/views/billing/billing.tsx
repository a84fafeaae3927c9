import { useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { readAll, useAnswer, useRecords, useWorldNow } from '#tools/console/hooks.ts'
import { Button } from '#tools/console/parts/button.tsx'
import { Choice, Field } from '#tools/console/parts/field.tsx'
import { List, Row } from '#tools/console/parts/list.tsx'
import { Pager, usePages } from '#tools/console/parts/pager.tsx'
import { Split } from '#tools/console/parts/split.tsx'
import { Badge } from '#tools/console/parts/state.tsx'
import { linkTo } from '#tools/console/route.ts'
import { toPrice } from '#tools/console/text.ts'
import { PurchaseDetail, toPeriod, toStanding } from './purchase-detail.tsx'
import { Form, usePlan } from '#tools/console/parts/form.tsx'

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

interface Props {
  sellers: readonly { secret: string; name: string }[]
  onDone(): void
}

const start = { seller: '', itemID: 'premium-monthly', period: 'P1M', price: '4.99', freeTrial: '', realMode: 'Y' }
const modes = [
  ['Y', 'Real'],
  ['N', 'Test, every 10 min'],
] as const

function NewPurchase({ sellers, onDone }: Props) {
  const { plan, bind } = usePlan(start)
  const { seller: chosen, price, freeTrial, realMode, ...terms } = plan
  const seller = chosen || (sellers[0]?.secret ?? '')
  const sell = async () => {
    const { purchaseID } = await api.purchases.create({
      ...terms,
      sellerSecret: seller,
      price: Number(price),
      currency: 'USD',
      country: 'USA',
      realMode: realMode === 'Y' ? 'Y' : 'N',
      ...(freeTrial && { freeTrial }),
    })
    onDone()
    location.hash = linkTo('billing', purchaseID)
  }
  return (
    <Form label="Sell a subscription" class="panel row" submit="Sell" onSubmit={sell} onClose={onDone}>
      <Choice
        label="Seller"
        grow
        {...bind('seller')}
        value={seller}
        options={sellers.map(({ secret, name }) => [secret, name])}
      />
      <Field label="Item" grow {...bind('itemID')} required />
      <Field label="Period" {...bind('period')} required />
      <Field label="Price, USD" type="number" {...bind('price')} required />
      <Field label="Free trial" {...bind('freeTrial')} placeholder="P7D, or none" />
      <Choice label="Mode" {...bind('realMode')} options={modes} />
    </Form>
  )
}
