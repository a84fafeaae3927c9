import { useState } from 'preact/hooks'
import { api } from '../../address.ts'
import { useClosing } from '../../closing.ts'
import { useAct } from '../../hooks.ts'
import { Button } from '../../parts/button.tsx'
import { Choice, Field } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Refusal } from '../../parts/state.tsx'
import type { Device } from '../../types.ts'
import { readJsonOrText } from '../../../../contract/records/decoded-text.ts'

export interface Attribute {
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

export function Setter({ device, attributes, onSet, onClose }: SetterProps) {
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
      <Form label="Set a value" submit="Send" onSubmit={send}>
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
