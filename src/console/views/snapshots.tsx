import { useState } from 'preact/hooks'
import { world } from '../address.ts'
import { call, getFile } from '../api.ts'
import { useAct } from '../hooks.ts'
import { Refusal } from '../parts/state.tsx'
import { Ask, Button } from '../parts/button.tsx'

/** The whole world as one file, and back. */
export function Snapshots() {
  const act = useAct()
  const [said, setSaid] = useState('')
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
        <Button off={act.busy} onClick={() => run('', downloadSnapshot)}>
          Download a snapshot
        </Button>
        <label class="button">
          Restore a snapshot…
          <input
            type="file"
            class="hidden"
            accept="application/json,.json"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              if (file) run('Restored.', async () => call('PUT', 'snapshot', await file.text()))
              currentTarget.value = ''
            }}
          />
        </label>
        <Ask
          class="danger"
          label="Reset this world"
          question="All that happened in it is lost, and its streams end. Reset it?"
          off={act.busy}
          onYes={() => run('This world is as it was at its start.', () => call('POST', 'reset'))}
        />
      </div>
      <p role="status">{said}</p>
      <Refusal error={act.error} />
    </section>
  )
}

async function downloadSnapshot(): Promise<void> {
  const url = URL.createObjectURL(await getFile('snapshot'))
  const link = Object.assign(document.createElement('a'), { href: url, download: `${world}.snapshot.json` })
  link.click()
  URL.revokeObjectURL(url)
}
