import { useState } from 'preact/hooks'
import { consoleOf } from '../address.ts'
import { call } from '../api.ts'
import { useAct } from '../hooks.ts'
import { Choice, Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Refusal } from '../parts/state.tsx'

/** `names` are those of the worlds there are. */
export function NewWorld({ names }: { names: readonly string[] }) {
  const act = useAct()
  const [plan, setPlan] = useState({ name: '', from: '', seed: '', now: '', frozen: '', minutes: '' })
  const set = (name: keyof typeof plan) => (text: string) => setPlan({ ...plan, [name]: text })
  const { name, from, seed, now, frozen, minutes } = plan
  const make = async () => {
    await call('POST', 'worlds', {
      name,
      ...(from ? { from } : { ...(seed && { seed }), ...(now && { now: `${now.slice(0, 16)}:00Z` }) }),
      ...(frozen && { frozen: frozen === 'yes' }),
      ...(minutes && { expiresIn: Number(minutes) * 60 }),
    })
    location.assign(consoleOf(name))
  }
  return (
    <Form label="New world" class="panel row" onSubmit={() => void act.run(make)}>
      <Field label="Name" grow value={name} onInput={set('name')} placeholder="my-test" required />
      <Choice
        label="Begins as"
        value={from}
        onChoose={set('from')}
        options={[['', 'fixtures say'], ...names.map((each): [string, string] => [each, `${each} is now`])]}
      />
      {from ? null : (
        <>
          <Field label="Seed" value={seed} onInput={set('seed')} placeholder="random" />
          <Field label="Starts at, UTC" type="datetime-local" value={now} onInput={set('now')} />
        </>
      )}
      <Choice
        label="Its clock"
        value={frozen}
        onChoose={set('frozen')}
        options={[
          ['', from ? 'as there' : 'runs'],
          ...(from ? [['no', 'runs'] as const] : []),
          ['yes', 'stands still'],
        ]}
      />
      <Field label="Lives for, minutes" type="number" value={minutes} onInput={set('minutes')} placeholder="for ever" />
      <button type="submit" class="primary" aria-disabled={act.busy}>
        Make it and go there
      </button>
      <Refusal error={act.error} />
    </Form>
  )
}
