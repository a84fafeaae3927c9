import { useRecords } from '#tools/console/live.ts'
import { Badge, Button, Empty, Loading, Refusal, type Tone } from '#tools/console/parts/basics.tsx'
import { count, toLine } from '#tools/console/text.ts'
import type { Device } from '#contract/records/events/device.ts'
import type { Location } from '#contract/records/events/location.ts'
import { Received } from './streams.tsx'
import { useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { CopyButton } from '#tools/console/parts/code.tsx'
import { useClosing } from '#tools/console/closing.ts'
import { Choice, Field, Form } from '#tools/console/parts/form.tsx'
import { readJsonOrText } from '#contract/records/decoded-text.ts'

export function Devices() {
  const locations = useRecords('locations')
  const devices = useRecords('devices')
  const known = devices.data?.items ?? []
  // All homes are displayed at the same time, because a home that appears later would move the other homes down.
  const homes = devices.data ? (locations.data?.items ?? []) : []
  return (
    <section>
      <h1>Devices</h1>
      <div class="columns">
        <div>
          <Refusal error={locations.error ?? devices.error} />
          {locations.data && devices.data ? null : <Loading />}
          {locations.data && homes.length === 0 && devices.data ? <Empty title="This world has no homes." /> : null}
          {homes.map((location) => (
            <Home
              key={location.locationId}
              location={location}
              devices={known.filter(({ locationId }) => locationId === location.locationId)}
            />
          ))}
          {devices.data && devices.data.totalCount > known.length ? (
            <p class="hint">This page shows the first {known.length} devices. Data lists all of them.</p>
          ) : null}
        </div>
        <Received />
      </div>
    </section>
  )
}

function Home({ location: { name, rooms, locationId }, devices }: { location: Location; devices: Device[] }) {
  const roomOf = ({ roomId }: Device) => rooms.find((room) => room.roomId === roomId)?.name
  return (
    <section aria-label={name}>
      <h2>
        {name} <small>{count(devices.length, 'device')}</small>
      </h2>
      <p class="hint mono">{locationId}</p>
      {devices.length === 0 ? <Empty title="No devices in this home." /> : null}
      <div class="cards">
        {devices.map((device) => (
          <DeviceCard key={device.deviceId} device={device} room={roomOf(device)} />
        ))}
      </div>
    </section>
  )
}

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

function DeviceCard({ device, room }: { device: Device; room: string | undefined }) {
  const { deviceId, name, status } = device
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
      <p class="title-row">
        {room ?? 'No room'} <CopyButton text={deviceId} label="Copy ID" title={`Copy the ID of ${name}`} />
      </p>
      <p class="hint mono">{deviceId}</p>
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
                  class={`toggle ${opposites.some(([on]) => on === each.value) ? 'on' : ''}`}
                  title={`Set ${each.attribute} to ${other}`}
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
            done={`${device.name} is ${status.toLowerCase()}`}
            onClick={() => api.events.health(device.deviceId, { status })}
          >
            {status.toLowerCase()}
          </Button>
        ))}
      </div>
    </div>
  )
}
