import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { useAct } from '../hooks.ts'
import { Choice, Field } from '../parts/field.tsx'
import { Badge, Refusal, type Tone } from '../parts/state.tsx'
import { toLine } from '../text.ts'
import type { Device } from '../types.ts'
import { Form } from '../parts/form.tsx'
import { Button } from '../parts/button.tsx'

interface Attribute {
  value?: unknown
  unit?: string | undefined
  name: string
  component: string
  capability: string
  attribute: string
}

const tones: Readonly<Record<string, Tone>> = { ONLINE: 'good', OFFLINE: 'bad', UNHEALTHY: 'warn' }

/** Pairs that a click turns over. */
const opposites: Readonly<Record<string, string>> = {
  on: 'off',
  off: 'on',
  open: 'closed',
  closed: 'open',
  active: 'inactive',
  inactive: 'active',
  locked: 'unlocked',
  unlocked: 'locked',
  present: 'not present',
  'not present': 'present',
}

export function DeviceCard({ device, room }: { device: Device; room: string | undefined }) {
  const { deviceId, name, status } = device
  const act = useAct()
  const [open, setOpen] = useState(false)
  const attributes = attributesOf(device)
  const set = ({ component, capability, attribute, unit }: Attribute, value: unknown) =>
    act.run(() =>
      call('POST', `devices/${encodeURIComponent(deviceId)}/events`, {
        component,
        capability,
        attribute,
        value,
        ...(unit !== undefined && { unit }),
      }),
    )
  return (
    <article class="card" aria-label={name}>
      <div class="title-row">
        <h3>{name}</h3>
        <Badge tone={tones[status]}>{status.toLowerCase()}</Badge>
      </div>
      <p class="hint">{room ?? 'No room'}</p>
      <ul class="attributes">
        {attributes.map((each) => {
          const other = typeof each.value === 'string' ? opposites[each.value] : undefined
          return (
            <li key={each.name}>
              <span class="attribute">{each.attribute}</span>
              {other === undefined ? (
                <output>{`${toLine(each.value)}${each.unit ? ` ${each.unit}` : ''}`}</output>
              ) : (
                <Button
                  class="toggle"
                  title={`Turn ${each.attribute} to ${other}`}
                  off={act.busy}
                  onClick={() => void set(each, other)}
                >
                  {toLine(each.value)}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      <Button class="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        Set a value
      </Button>
      {open ? <Setter device={device} attributes={attributes} onSet={set} busy={act.busy} /> : null}
      <Refusal error={act.error} />
    </article>
  )
}

interface SetterProps {
  device: Device
  attributes: Attribute[]
  busy: boolean
  onSet(attribute: Attribute, value: unknown): Promise<boolean>
}

function Setter({ device, attributes, onSet, busy }: SetterProps) {
  const [chosen, choose] = useState(attributes[0]?.name ?? '')
  const [value, setValue] = useState('')
  const attribute = attributes.find(({ name }) => name === chosen)
  const health = useAct()
  return (
    <>
      <Form
        label="Set a value"
        class="row"
        onSubmit={() => {
          if (attribute) void onSet(attribute, toValue(value)).then((sent) => sent && setValue(''))
        }}
      >
        <Choice
          label="Attribute"
          grow
          value={chosen}
          onChoose={choose}
          options={attributes.map(({ name }) => [name, name])}
        />
        <Field label="Value, text or JSON" grow value={value} onInput={setValue} required />
        <button type="submit" class="primary" aria-disabled={busy}>
          Send
        </button>
      </Form>
      <div class="buttons" role="group" aria-label="Health">
        {Object.keys(tones).map((status) => (
          <Button
            key={status}
            aria-pressed={device.status === status}
            off={health.busy}
            onClick={() =>
              void health.run(() => call('POST', `devices/${encodeURIComponent(device.deviceId)}/health`, { status }))
            }
          >
            {status.toLowerCase()}
          </Button>
        ))}
      </div>
      <Refusal error={health.error} />
    </>
  )
}

function attributesOf({ components }: Device): Attribute[] {
  return Object.entries(components).flatMap(([component, capabilities]) =>
    Object.entries(capabilities).flatMap(([capability, attributes]) =>
      Object.entries(attributes).map(([attribute, state]) => ({
        ...state,
        component,
        capability,
        attribute,
        name: `${component === 'main' ? '' : `${component}.`}${capability}.${attribute}`,
      })),
    ),
  )
}

/** `21.5` is a number, `true` a boolean, `on` a text. */
function toValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
