import { useState } from 'preact/hooks'
import { api, consoleOf, world } from '#tools/console/address.ts'
import { useAct, useAnswer } from '#tools/console/hooks.ts'
import { Ask, Button, Question } from '#tools/console/parts/button.tsx'
import { Item, List } from '#tools/console/parts/list.tsx'
import { Badge, Refusal } from '#tools/console/parts/state.tsx'
import { toMinute } from '#tools/console/text.ts'
import type { WorldSummary } from '#tools/console/types.ts'
import { Choice, Field, FileButton } from '#tools/console/parts/field.tsx'
import { Form, usePlan } from '#tools/console/parts/form.tsx'
import { download } from '#tools/console/parts/code.tsx'

export function Worlds() {
  const worlds = useAnswer('worlds', api.worlds)
  const act = useAct()
  return (
    <section>
      <h1>Worlds</h1>
      <p class="hint">
        A world is addressed by <code>/w/name</code> before any path, or by the header <code>x-world</code>.
      </p>
      <NewWorld names={worlds.data?.items.map(({ name }) => name) ?? []} />
      <Snapshots />
      <Refusal error={act.error} />
      <List label="Worlds" kind="items" of={worlds} empty="There are none.">
        {(each) => (
          <Item key={each.name} title={each.name} note={describe(each)}>
            {each.name === world ? (
              <Badge tone="good">shown here</Badge>
            ) : (
              <a class="button" href={consoleOf(each.name)}>
                Switch
              </a>
            )}
            {each.name === 'default' || each.name === world ? null : (
              <Ask
                label="Delete"
                question={`Delete ${each.name} and all that is in it?`}
                act={act}
                onYes={() => api.call('deleteWorld', { params: [each.name] })}
              />
            )}
          </Item>
        )}
      </List>
    </section>
  )
}

function describe({ from, seed, createdAt, expiresAt }: WorldSummary): string {
  return [
    `since ${toMinute(createdAt)}`,
    from !== undefined && `forked from ${from}`,
    seed !== undefined && `seed ${seed}`,
    expiresAt !== undefined && `until ${toMinute(expiresAt)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function NewWorld({ names }: { names: readonly string[] }) {
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

function Snapshots() {
  const act = useAct()
  const [said, setSaid] = useState('')
  const [chosen, choose] = useState<File | undefined>()
  const run = (text: string, work: () => Promise<unknown>) => {
    setSaid('')
    void act.run(work).then((done) => done && setSaid(text))
  }
  return (
    <section class="panel" aria-label="Snapshot and reset">
      <h2>This world: {world}</h2>
      <p class="hint">
        A snapshot holds records, clock, faults, outbox and images; it is made for git. Restoring and resetting end live
        streams.
      </p>
      <div class="buttons">
        <Button
          off={act.busy}
          onClick={() => run('', async () => download(`${world}.snapshot.ndjson`, await api.snapshot()))}
        >
          Download a snapshot
        </Button>
        <span class="ask">
          <FileButton label="Restore a snapshot…" accept="application/x-ndjson,.ndjson" onChoose={choose} />
          {chosen ? (
            <Question
              text={`All that is in this world is replaced. Restore ${chosen.name}?`}
              onNo={() => choose(undefined)}
              onYes={() => {
                choose(undefined)
                run('Restored.', async () => api.restore(await chosen.text()))
              }}
            />
          ) : null}
        </span>
        <Ask
          class="danger"
          label="Reset this world"
          question="All that happened in it is lost, and its streams end. Reset it?"
          off={act.busy}
          onYes={() => run('This world is as it was at its start.', api.reset)}
        />
      </div>
      <p role="status">{said}</p>
      <Refusal error={act.error} />
    </section>
  )
}
