import { api, consoleOf } from '../../address.ts'
import { Choice, Field } from '../../parts/field.tsx'
import { Form, usePlan } from '../../parts/form.tsx'

export function NewWorld({ names }: { names: readonly string[] }) {
  const { plan, bind } = usePlan({ name: '', from: '', seed: '', now: '', frozen: '', minutes: '' })
  const { name, from, seed, now, frozen, minutes } = plan
  const make = async () => {
    await api.world({
      name,
      ...(from ? { from } : { ...(seed && { seed }), ...(now && { now: `${now.slice(0, 16)}:00Z` }) }),
      ...(frozen && { frozen: frozen === 'yes' }),
      ...(minutes && { expiresIn: Number(minutes) * 60 }),
    })
    location.assign(consoleOf(name))
  }
  const clocks = [['', from ? 'as there' : 'runs'] as const, ...(from ? [['no', 'runs'] as const] : [])]
  return (
    <Form label="New world" class="panel row" submit="Make it and go there" onSubmit={make}>
      <Field label="Name" grow {...bind('name')} placeholder="my-test" required />
      <Choice
        label="Begins as"
        {...bind('from')}
        options={[['', 'from fixtures'], ...names.map((each) => [each, `${each} is now`] as const)]}
      />
      {from ? null : (
        <>
          <Field label="Seed" {...bind('seed')} placeholder="random" />
          <Field label="Starts at, UTC" type="datetime-local" {...bind('now')} />
        </>
      )}
      <Choice label="Its clock" {...bind('frozen')} options={[...clocks, ['yes', 'stands still']]} />
      <Field label="Lives, minutes" type="number" {...bind('minutes')} placeholder="for ever" />
    </Form>
  )
}
