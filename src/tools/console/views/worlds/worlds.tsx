import { useState } from 'preact/hooks'
import { api, consoleOf, world } from '#tools/console/address.ts'
import { ControlError } from '#tools/client/errors.ts'
import { report, useAnswer } from '#tools/console/live.ts'
import { Ask, Button, Question } from '#tools/console/parts/basics.tsx'
import { type Column, Table } from '#tools/console/parts/table.tsx'
import { linkTo } from '#tools/console/route.ts'
import { toMinute } from '#tools/console/text.ts'
import type { WorldSummary } from '#tools/client/types.ts'
import { Choice, Field, FileButton, Form, usePlan } from '#tools/console/parts/form.tsx'
import { download } from '#tools/console/parts/code.tsx'

const columns: readonly Column<WorldSummary>[] = [
  { title: 'World', value: ({ name }) => name },
  {
    title: 'Origin',
    value: ({ from, seed = 'random' }) => (from === undefined ? `seed ${seed}` : `forked from ${from}`),
  },
  { title: 'Created', width: '9.5rem', value: ({ createdAt }) => toMinute(createdAt) },
  { title: 'Expires', width: '9.5rem', value: ({ expiresAt }) => (expiresAt ? toMinute(expiresAt) : 'never') },
]

export function Worlds() {
  const worlds = useAnswer('worlds', api.worlds)
  return (
    <section>
      <h1>Worlds</h1>
      <p class="hint">
        A client selects a world by <code>/w/name</code> before the path or by the header <code>x-world</code>.
      </p>
      <NewWorld names={worlds.data?.items.map(({ name }) => name) ?? []} />
      <Table
        label="Worlds"
        noun="world"
        of={worlds}
        columns={columns}
        ask={({ name }) => ({
          label: 'Delete world',
          question: `Delete ${name} and all its records?`,
          done: `Deleted world ${name}`,
          off: name === world || name === 'default',
          onYes: () => api.call('deleteWorld', { params: [name] }),
        })}
        keyOf={({ name }) => name}
        wraps
        hrefOf={({ name }) => consoleOf(name)}
        opened={world}
        placeholder="name, seed, origin"
      />
    </section>
  )
}

function NewWorld({ names }: { names: readonly string[] }) {
  const { plan, bind } = usePlan({ name: '', from: '', seed: '', now: '', frozen: '', minutes: '' })
  const { name, from, seed, now, frozen, minutes } = plan
  const make = async () => {
    const created = await api.world({
      ...(name && { name }),
      ...(from ? { from } : { ...(seed && { seed }), ...(now && { now: `${now.slice(0, 16)}:00Z` }) }),
      ...(frozen && { frozen: frozen === 'yes' }),
      ...(minutes && { expiresIn: Number(minutes) * 60 }),
    })
    location.assign(consoleOf(created.name))
  }
  const clocks = [['', from ? 'as in the source' : 'runs'] as const, ...(from ? [['no', 'runs'] as const] : [])]
  return (
    <Form label="New world" class="panel row" submit="Create world and open it" onSubmit={make}>
      <Field label="Name" grow {...bind('name')} placeholder="generated" />
      <Choice
        label="Starts from"
        {...bind('from')}
        options={[['', 'fixtures'], ...names.map((each) => [each, each] as const)]}
      />
      {from ? null : (
        <>
          <Field label="Seed" {...bind('seed')} placeholder="random" />
          <Field label="Starts at, UTC" type="datetime-local" {...bind('now')} />
        </>
      )}
      <Choice label="Clock" {...bind('frozen')} options={[...clocks, ['yes', 'is paused']]} />
      <Field label="Lifetime, minutes" type="number" {...bind('minutes')} name="expiresIn" placeholder="unlimited" />
    </Form>
  )
}

export function SnapshotView() {
  const [chosen, choose] = useState<File | undefined>()
  const { data } = useAnswer('recording', api.status, { keep: true })
  const isRecording = data?.recorded && data.recordingEnded === undefined
  const end = isRecording ? ' The recording ends too, but its steps can still be saved.' : ''
  const restore = async (file: File) => {
    const [{ name }, text] = [file, await file.text()]
    await api.restore(text).catch(({ status, code, message }: ControlError) => {
      const why = `${name} is not a snapshot: ${message}. Choose a file that “Download snapshot” saved.`
      throw new ControlError(status, code, status === 400 ? why : message)
    })
  }
  return (
    <section>
      <h1>Snapshot</h1>
      <p class="hint">
        A snapshot of {world} contains records, clock, faults, mail and images, as text that you can commit to git.
        Restoring a snapshot or resetting the world ends open streams.
      </p>
      <div class="buttons">
        <Button
          done="Downloaded the snapshot"
          onClick={async () => download(`${world}.snapshot.ndjson`, await api.snapshot())}
        >
          Download snapshot
        </Button>
        <span class="ask">
          <FileButton label="Restore snapshot…" accept="application/x-ndjson,.ndjson" onChoose={choose} />
          {chosen ? (
            <Question
              text={`Replace everything in ${world}, including its requests, with ${chosen.name}?${end}`}
              yes="Restore snapshot"
              onNo={() => choose(undefined)}
              onYes={() => {
                choose(undefined)
                void report(restore(chosen), `Restored ${chosen.name}`, linkTo('data'))
              }}
            />
          ) : null}
        </span>
        <Ask
          class="danger"
          label="Reset world"
          question={`Delete all changes in ${world} and end its streams?${end}`}
          done={`Reset ${world} to its initial state`}
          onYes={api.reset}
        />
      </div>
    </section>
  )
}
