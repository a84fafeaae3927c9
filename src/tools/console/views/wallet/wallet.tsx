import { useState } from 'preact/hooks'
import { api } from '../../address.ts'
import { Ask } from '../../parts/button.tsx'
import { JsonForm } from '../../parts/form.tsx'
import { Empty, Findings } from '../../parts/state.tsx'
import { count } from '../../text.ts'
import type { CardVerdict, CheckRequest } from '../../types.ts'
import { BarcodeDrawing } from './barcode-drawing.tsx'
import { findBarcode } from './barcodes.ts'
import { CardText } from './card-text.tsx'

const example = `{
  "barcode": {
    "serialType": "BARCODE",
    "ptFormat": "BARCODESERIAL",
    "ptSubFormat": "EAN_13",
    "value": "4006381333932"
  },
  "locations": [
    {
      "lat": 40.8543, "lng": -74.0201, "name": "Ridgefield Park",
      "address": "85 Main Street, Ridgefield Park, NJ 07660"
    },
    {
      "lat": 140.7, "lng": -73.99, "name": "Manhattan West",
      "address": "507 Willow Way, New York, NY 10001"
    }
  ],
  "additionalInformation": {
    "count": 2,
    "info": [{ "title": "Opening hours", "content": ["Mon to Fri 9:00 to 18:00"] }]
  }
}`

export function Wallet() {
  const [text, setText] = useState(example)
  const [checked, setChecked] = useState<{ text: string; verdict: CardVerdict } | undefined>()
  const barcode = findBarcode(text)
  const restart = () => {
    setText(example)
    setChecked(undefined)
  }
  return (
    <section>
      <h1>Wallet</h1>
      <p class="hint">
        A card's barcode, locations, additionalInformation and classification, each as JSON or as the escaped string
        that cards carry.
      </p>
      <div class="columns even">
        <JsonForm
          label="Card"
          class="column"
          title="Card"
          rows={22}
          text={text}
          onInput={setText}
          submit="Check"
          onSubmit={async (card) => {
            setChecked(undefined)
            setChecked({ text, verdict: await api.wallet.check(card as CheckRequest) })
          }}
          further={<Ask label="Example" question="Replace this card?" off={text === example} onYes={restart} />}
        />
        <div class="aside">
          <section class="panel" aria-label="Barcode">
            <h2>Barcode</h2>
            {barcode ? (
              <BarcodeDrawing barcode={barcode} />
            ) : (
              <Empty title="The card has no barcode with a ptSubFormat and a value." />
            )}
          </section>
          {checked ? <Checked {...checked} /> : null}
        </div>
      </div>
    </section>
  )
}

function Checked({ text, verdict: { errors, warnings } }: { text: string; verdict: CardVerdict }) {
  const marked = [
    ...errors.map((each) => ({ ...each, tone: 'bad' as const })),
    ...warnings.map((each) => ({ ...each, tone: 'warn' as const })),
  ]
  return (
    <section class="panel" aria-label="Findings">
      <h2>
        {errors.length === 0 ? 'No errors' : count(errors.length, 'error')}
        {warnings.length > 0 ? <small>{count(warnings.length, 'warning')}</small> : null}
      </h2>
      <Findings findings={marked} />
      <CardText text={text} findings={marked} />
    </section>
  )
}
