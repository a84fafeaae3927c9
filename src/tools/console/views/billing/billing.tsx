import { useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { readAll, say, useAnswer, useRecords, useWorldNow } from '#tools/console/live.ts'
import { Badge, Button } from '#tools/console/parts/basics.tsx'
import { Choice, Field, Form, usePlan } from '#tools/console/parts/form.tsx'
import { Split } from '#tools/console/parts/split.tsx'
import { Table } from '#tools/console/parts/table.tsx'
import { linkTo } from '#tools/console/route.ts'
import { toPrice } from '#tools/console/text.ts'
import { PurchaseDetail, toBillingState } from './purchase-detail.tsx'

/** Maximum number of purchases that the page reads. */
const MOST = 2000

export function Billing({ id }: { id: string | undefined }) {
  const purchases = useAnswer('purchases', () => readAll(api.purchases.list, MOST), { keep: true })
  const sellers = useRecords('sellers')
  const now = useWorldNow(60_000) ?? 0
  const [selling, setSelling] = useState(false)
  const nameOf = (secret: string) => sellers.data?.items.find((seller) => seller.secret === secret)?.name ?? secret
  return (
    <Split
      title="Billing"
      actions={
        <Button aria-expanded={selling} onClick={() => setSelling(!selling)}>
          Sell a subscription…
        </Button>
      }
      opened={id === undefined ? null : <PurchaseDetail key={id} id={id} nameOf={nameOf} />}
    >
      {selling ? <NewPurchase sellers={sellers.data?.items ?? []} onDone={() => setSelling(false)} /> : null}
      <Table
        label="Purchases"
        noun="purchase"
        of={purchases}
        columns={[
          { title: 'Purchase', width: '11.5rem', value: ({ purchaseID }) => purchaseID },
          {
            title: 'Status',
            width: '6.5rem',
            value: (purchase) => toBillingState(purchase, now).state,
            cell: (purchase) => {
              const { state, hasEnded } = toBillingState(purchase, now)
              return <Badge tone={hasEnded ? 'plain' : purchase.cancellation ? 'warn' : 'good'}>{state}</Badge>
            },
          },
          { title: 'Item', value: ({ itemID }) => itemID, minor: true },
          { title: 'Seller', value: ({ sellerSecret }) => nameOf(sellerSecret), minor: true },
          {
            title: 'Price',
            width: '7.5rem',
            value: ({ price }) => price,
            cell: ({ price, currency }) => toPrice(price, currency),
            minor: true,
          },
          {
            title: 'Until',
            width: '16.5rem',
            value: ({ paidUntil }) => paidUntil,
            cell: (purchase) => toBillingState(purchase, now).until,
            minor: true,
          },
        ]}
        keyOf={({ purchaseID }) => purchaseID}
        hrefOf={({ purchaseID }) => linkTo('billing', purchaseID)}
        opened={id}
        placeholder="purchase, status, item, seller"
      />
    </Split>
  )
}

const start = { seller: '', itemID: 'premium-monthly', period: 'P1M', price: '4.99', freeTrial: '', realMode: 'Y' }
const modes = [
  ['Y', 'Real'],
  ['N', 'Test, renews every 10 minutes'],
] as const

function NewPurchase({ sellers, onDone }: { sellers: readonly { secret: string; name: string }[]; onDone(): void }) {
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
    say(`Sold ${purchaseID}`)
    location.hash = linkTo('billing', purchaseID)
  }
  return (
    <Form label="Sell a subscription" class="panel row" submit="Sell subscription" onSubmit={sell} onClose={onDone}>
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
