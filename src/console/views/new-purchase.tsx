import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { useAct } from '../hooks.ts'
import { Choice, Field } from '../parts/field.tsx'
import { Refusal } from '../parts/state.tsx'
import { linkTo } from '../route.ts'
import { Form } from '../parts/form.tsx'

interface Props {
  sellers: readonly { secret: string; name: string }[]
  onDone(): void
}

export function NewPurchase({ sellers, onDone }: Props) {
  const act = useAct()
  const [seller, setSeller] = useState('')
  const [terms, setTerms] = useState({ itemID: 'premium-monthly', period: 'P1M', price: '4.99', freeTrial: '' })
  const [realMode, setRealMode] = useState('Y')
  const set = (name: keyof typeof terms) => (value: string) => setTerms({ ...terms, [name]: value })
  const sell = async () => {
    const { purchaseID } = await call<{ purchaseID: string }>('POST', 'purchases', {
      sellerSecret: seller || sellers[0]?.secret,
      itemID: terms.itemID,
      period: terms.period,
      price: Number(terms.price),
      currency: 'USD',
      country: 'USA',
      realMode,
      ...(terms.freeTrial && { freeTrial: terms.freeTrial }),
    })
    onDone()
    location.hash = linkTo('billing', purchaseID)
  }
  return (
    <Form label="Sell a subscription" class="panel row" onSubmit={() => void act.run(sell)}>
      <Choice
        label="Seller"
        grow
        value={seller}
        onChoose={setSeller}
        options={sellers.map(({ secret, name }) => [secret, name])}
      />
      <Field label="Item" grow value={terms.itemID} onInput={set('itemID')} required />
      <Field label="Period" value={terms.period} onInput={set('period')} required />
      <Field label="Price, USD" type="number" value={terms.price} onInput={set('price')} required />
      <Field label="Free trial" value={terms.freeTrial} onInput={set('freeTrial')} placeholder="P7D, or none" />
      <Choice
        label="Mode"
        value={realMode}
        onChoose={setRealMode}
        options={[
          ['Y', 'Real'],
          ['N', 'Test, every 10 min'],
        ]}
      />
      <button type="submit" class="primary" aria-disabled={act.busy}>
        Sell
      </button>
      <Refusal error={act.error} />
    </Form>
  )
}
