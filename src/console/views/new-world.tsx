import { useState } from 'preact/hooks'
import { consoleOf } from '../address.ts'
import { call } from '../api.ts'
import { useAct } from '../hooks.ts'
import { Field } from '../parts/field.tsx'
import { Refusal } from '../parts/state.tsx'
import { Form } from '../parts/form.tsx'

export function NewWorld() {
  const act = useAct()
  const [plan, setPlan] = useState({ name: '', seed: '', now: '', minutes: '' })
  const set = (name: keyof typeof plan) => (text: string) => setPlan({ ...plan, [name]: text })
  const make = async () => {
    await call('POST', 'worlds', {
      name: plan.name,
      ...(plan.seed && { seed: plan.seed }),
      ...(plan.now && { now: `${plan.now.slice(0, 16)}:00Z` }),
      ...(plan.minutes && { expiresIn: Number(plan.minutes) * 60 }),
    })
    location.assign(consoleOf(plan.name))
  }
  return (
    <Form label="New world" class="panel row" onSubmit={() => void act.run(make)}>
      <Field label="Name" grow value={plan.name} onInput={set('name')} placeholder="my-test" required />
      <Field label="Seed" value={plan.seed} onInput={set('seed')} placeholder="random" />
      <Field label="Starts at, UTC" type="datetime-local" value={plan.now} onInput={set('now')} />
      <Field
        label="Lives for, minutes"
        type="number"
        value={plan.minutes}
        onInput={set('minutes')}
        placeholder="for ever"
      />
      <button type="submit" class="primary" disabled={act.busy}>
        Make it and go there
      </button>
      <Refusal error={act.error} />
    </Form>
  )
}
