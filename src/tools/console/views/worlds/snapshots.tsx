import { useState } from 'preact/hooks'
import { api, world } from '../../address.ts'
import { useAct } from '../../hooks.ts'
import { Ask, Button, Question } from '../../parts/button.tsx'
import { download } from '../../parts/code.tsx'
import { FileButton } from '../../parts/field.tsx'
import { Refusal } from '../../parts/state.tsx'

export function Snapshots() {
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
          onClick={() => run('', async () => download(`${world}.snapshot.json`, await api.snapshot()))}
        >
          Download a snapshot
        </Button>
        <span class="ask">
          <FileButton label="Restore a snapshot…" accept="application/json,.json" onChoose={choose} />
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
