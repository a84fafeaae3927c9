import { useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { useAnswer } from '#tools/console/live.ts'
import { Ask, Empty, type Finding, Findings, type Tone } from '#tools/console/parts/basics.tsx'
import { JsonForm } from '#tools/console/parts/form.tsx'
import { count } from '#tools/console/text.ts'
import type { CardVerdict, CheckRequest } from '#tools/client/types.ts'
import { findJson } from '#contract/records/decoded-text.ts'

const example = `{
  "barcode": {
    "serialType": "BARCODE",
    "ptFormat": "BARCODESERIAL",
    "ptSubFormat": "EAN_13",
    "value": "4006381333931"
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
        A card contains barcode, locations, additionalInformation and classification, each as JSON or as an escaped
        string.
      </p>
      <div class="columns even">
        <JsonForm
          label="Card"
          class="column"
          title="Card"
          rows={22}
          text={text}
          onInput={setText}
          submit="Check card"
          onSubmit={async (card) => {
            setChecked(undefined)
            setChecked({ text, verdict: await api.wallet.check(card as CheckRequest) })
          }}
          further={
            <Ask
              label="Restore example"
              question="Replace this card with the example?"
              done="Restored the example"
              off={text === example}
              onYes={restart}
            />
          }
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

function BarcodeDrawing({ barcode: { format, value } }: { barcode: Barcode }) {
  const draw = async () => (await import('./barcode-symbols.ts')).drawSymbol(format, value)
  const { data: svg, error } = useAnswer(`${format} ${value}`, draw, { keep: true, once: true })
  if (error) return <Empty title={`This barcode cannot be drawn. ${error.message}.`} />
  if (svg === undefined) return null
  const address = `data:image/svg+xml,${encodeURIComponent(svg)}`
  return (
    <figure class="barcode">
      <img src={address} alt={`${format} of ${value}`} />
      <figcaption class="mono">{value}</figcaption>
    </figure>
  )
}

interface Line {
  text: string
  /** A JSON path such as `body.locations[1].lat`. Empty on the last line of an object or list. */
  target: string
}

function CardText({ text, findings }: { text: string; findings: readonly (Finding & { tone: Tone })[] }) {
  const card = parse(text)
  if (!card) return null
  return (
    <pre class="code marked" tabIndex={0} role="region" aria-label="The card with its findings">
      {toLines(card).map(({ text: line, target }, index) => {
        const here = findings.filter((finding) => finding.target === target)
        return (
          <span key={`${index} ${target}`} class={`line ${here[0]?.tone ?? ''}`}>
            {line}
            {here.length > 0 ? <em>{here.map(({ code }) => code).join(', ')}</em> : null}
          </span>
        )
      })}
    </pre>
  )
}

function toLines(value: unknown, target = 'body', name = '', indent = ''): Line[] {
  const known = typeof value === 'string' && indent === '  ' ? (parse(value) ?? value) : value
  if (typeof known !== 'object' || known === null) return [{ text: `${indent}${name}${JSON.stringify(known)}`, target }]
  const isList = Array.isArray(known)
  const [open, close] = isList ? '[]' : '{}'
  const children = Object.entries(known).flatMap(([key, each]) =>
    toLines(each, isList ? `${target}[${key}]` : `${target}.${key}`, isList ? '' : `${key}: `, `${indent}  `),
  )
  return [{ text: `${indent}${name}${open}`, target }, ...children, { text: `${indent}${close}`, target: '' }]
}

interface Barcode {
  format: string
  value: string
}

function findBarcode(text: string): Barcode | undefined {
  const { barcode } = parse(text) ?? {}
  const { serialType, ptSubFormat, value } = (typeof barcode === 'string' ? parse(barcode) : barcode) ?? {}
  const format = ptSubFormat ?? (serialType === 'QRCODE' ? 'QR_CODE' : undefined)
  return typeof format === 'string' && typeof value === 'string' && value !== '' ? { format, value } : undefined
}

type Fields = Record<string, never> | undefined

/** A part of a card may also be a string that contains JSON. */
function parse(text: string): Fields {
  const value = findJson(text)
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined
}
