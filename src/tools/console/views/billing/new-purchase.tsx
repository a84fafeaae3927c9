import { api } from '../../address.ts'
import { Choice, Field } from '../../parts/field.tsx'
import { Form, usePlan } from '../../parts/form.tsx'
import { linkTo } from '../../route.ts'

interface Props {
  sellers: readonly { secret: string; name: string }[]
  onDone(): void
}

const start = { seller: '', itemID: 'premium-monthly', period: 'P1M', price: '4.99', freeTrial: '', realMode: 'Y' }
const modes = [
  ['Y', 'Real'],
  ['N', 'Test, every 10 min'],
] as const

export function NewPurchase({ sellers, onDone }: Props) {
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
