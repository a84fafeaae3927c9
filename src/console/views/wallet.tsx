import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { useAct } from '../hooks.ts'
import { Badge, Empty, Refusal } from '../parts/state.tsx'
import { count } from '../text.ts'
import { CardText, type Finding } from './card-text.tsx'
import { BarcodeDrawing } from './barcode-drawing.tsx'
import { type Barcode, findBarcode } from './barcodes.ts'
import { Form } from '../parts/form.tsx'
import { Button } from '../parts/button.tsx'

interface Verdict {
  errors: Finding[]
  warnings: Finding[]
}

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

/** Paste a card; see all that is wrong with it, at its place, and what its barcode looks like. */
export function Wallet() {
  const [text, setText] = useState(example)
  const [checked, setChecked] = useState<{ text: string; verdict: Verdict } | undefined>()
  const [unreadable, setUnreadable] = useState('')
  const act = useAct()
  const check = async () => {
    setUnreadable('')
    setChecked(undefined)
    try {
      JSON.parse(text)
    } catch (error) {
      return setUnreadable(`This is not JSON: ${(error as Error).message}`)
    }
    setChecked({ text, verdict: await call<Verdict>('POST', 'wallet/check', text) })
  }
  const barcode = findBarcode(text)
  return (
    <section>
      <h1>Wallet</h1>
      <p class="hint">
        A card's barcode, locations, additionalInformation and classification, each as JSON or as the escaped string
        that cards carry.
      </p>
      <div class="columns even">
        <Form label="Card" class="card-form" onSubmit={() => void act.run(check)}>
          <label class="field">
            <span>Card</span>
            <textarea
              class="mono"
              rows={22}
              spellcheck={false}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <div class="buttons">
            <button type="submit" class="primary" aria-disabled={act.busy}>
              Check
            </button>
            <Button
              onClick={() => {
                setText(example)
                setChecked(undefined)
              }}
            >
              Example
            </Button>
          </div>
          {unreadable ? (
            <p class="refusal" role="alert">
              {unreadable}
            </p>
          ) : null}
          <Refusal error={act.error} />
        </Form>
        <div class="aside">
          <Drawing barcode={barcode} />
          {checked ? <Findings {...checked} /> : null}
        </div>
      </div>
    </section>
  )
}

function Drawing({ barcode }: { barcode: Barcode | undefined }) {
  return (
    <section class="panel" aria-label="Barcode">
      <h2>Barcode</h2>
      {barcode ? (
        <BarcodeDrawing barcode={barcode} />
      ) : (
        <Empty title="The card has no barcode with a ptSubFormat and a value." />
      )}
    </section>
  )
}

function Findings({ text, verdict: { errors, warnings } }: { text: string; verdict: Verdict }) {
  return (
    <section class="panel" aria-label="Findings">
      <h2>
        {errors.length === 0 ? 'No errors' : count(errors.length, 'error')}
        {warnings.length > 0 ? <small>{count(warnings.length, 'warning')}</small> : null}
      </h2>
      <ul class="findings">
        {[
          ...errors.map((each) => ({ ...each, tone: 'bad' as const })),
          ...warnings.map((each) => ({ ...each, tone: 'warn' as const })),
        ].map(({ code, message, path, tone }) => (
          <li key={`${path} ${code} ${message}`}>
            <Badge tone={tone}>{code}</Badge> <code>{path}</code>
            <p>{message}</p>
          </li>
        ))}
      </ul>
      <CardText text={text} errors={errors} warnings={warnings} />
    </section>
  )
}
