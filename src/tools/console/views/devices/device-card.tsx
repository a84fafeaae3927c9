import { useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { useAct } from '#tools/console/live.ts'
import { Badge, Button, Refusal, type Tone } from '#tools/console/parts/basics.tsx'
import { CopyButton } from '#tools/console/parts/code.tsx'
import { toLine } from '#tools/console/text.ts'
import type { Device } from '#contract/records/events/device.ts'
import { useClosing } from '#tools/console/closing.ts'
import { Choice, Field, Form } from '#tools/console/parts/form.tsx'
import { readJsonOrText } from '#contract/records/decoded-text.ts'

const tones: Readonly<Record<string, Tone>> = { ONLINE: 'good', OFFLINE: 'bad', UNHEALTHY: 'warn' }

const opposites = [
  ['on', 'off'],
  ['open', 'closed'],
  ['active', 'inactive'],
  ['locked', 'unlocked'],
  ['present', 'not present'],
]

function oppositeOf(value: unknown): string | undefined {
  return opposites.find((pair) => pair.some((each) => each === value))?.find((each) => each !== value)
}

export function DeviceCard({ device, room }: { device: Device; room: string | undefined }) {
  const { deviceId, name, status } = device
  const act = useAct()
  const [open, setOpen] = useState(false)
  const attributes = attributesOf(device)
  const set = ({ component, capability, attribute, unit }: Attribute, value: unknown) =>
    api.events.emit(deviceId, { component, capability, attribute, value, ...(unit !== undefined && { unit }) })
  return (
    <article class="card" aria-label={name}>
      <div class="title-row">
        <h3>{name}</h3>
        <Badge tone={tones[status]}>{status.toLowerCase()}</Badge>
      </div>
      <p class="hint">{room ?? 'No room'}</p>
      <p class="title-row">
        <code>{deviceId}</code> <CopyButton text={deviceId} label="Copy" title={`Copy the id of ${name}`} />
      </p>
      <ul class="attributes">
        {attributes.map((each) => {
          const other = oppositeOf(each.value)
          return (
            <li key={each.name} class="title-row">
              <small>{each.attribute}</small>
              {other === undefined ? (
                <output>{`${toLine(each.value)}${each.unit ? ` ${each.unit}` : ''}`}</output>
              ) : (
                <Button
                  class="toggle"
                  title={`Set ${each.attribute} to ${other}`}
                  act={act}
                  done={`${name}: ${each.attribute} is ${other}`}
                  onClick={() => set(each, other)}
                >
                  {toLine(each.value)}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      <Button class="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        Set a value…
      </Button>
      {open ? <Setter device={device} attributes={attributes} onSet={set} onClose={() => setOpen(false)} /> : null}
      <Refusal error={act.error} />
    </article>
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

interface Attribute {
  value?: unknown
  unit?: string | undefined
  name: string
  component: string
  capability: string
  attribute: string
}

const states = ['ONLINE', 'OFFLINE', 'UNHEALTHY'] as const

interface SetterProps {
  device: Device
  attributes: Attribute[]
  onSet(attribute: Attribute, value: unknown): Promise<unknown>
  onClose(): void
}

function Setter({ device, attributes, onSet, onClose }: SetterProps) {
  const [chosen, choose] = useState(attributes[0]?.name ?? '')
  const [value, setValue] = useState('')
  const health = useAct()
  const box = useClosing<HTMLDivElement>(onClose)
  const send = async () => {
    const attribute = attributes.find(({ name }) => name === chosen)
    if (attribute) await onSet(attribute, readJsonOrText(value))
    setValue('')
  }
  return (
    <div class="column" ref={box}>
      <Form label="Set a value" submit="Set value" done={`${device.name}: ${chosen} is set`} onSubmit={send}>
        <Choice
          label="Attribute"
          grow
          value={chosen}
          onInput={choose}
          options={attributes.map(({ name }) => [name, name])}
        />
        <Field label="Value, text or JSON" grow value={value} onInput={setValue} required />
      </Form>
      <div class="buttons" role="group" aria-label="Health">
        {states.map((status) => (
          <Button
            key={status}
            aria-pressed={device.status === status}
            off={health.busy}
            onClick={() => void health.run(() => api.events.health(device.deviceId, { status }))}
          >
            {status.toLowerCase()}
          </Button>
        ))}
      </div>
      <Refusal error={health.error} />
    </div>
  )
}
