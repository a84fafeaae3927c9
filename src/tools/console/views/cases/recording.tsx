import { useState } from 'preact/hooks'
import { ControlError } from '../../../control-client/errors.ts'
import { api, world } from '../../address.ts'
import { useAct, useAnswer } from '../../hooks.ts'
import { Ask, Button } from '../../parts/button.tsx'
import { download } from '../../parts/code.tsx'
import { Refusal } from '../../parts/state.tsx'
import { toSecond } from '../../text.ts'

export function Recording() {
  // The whole case is read to learn whether there is one: only after an act of this page.
  const [acts, setActs] = useState(0)
  const running = useAnswer(`recording ${acts}`, readStart, { keep: true, once: true })
  const act = useAct()
  const run = (work: () => Promise<unknown>) => void act.run(work).then(() => setActs(acts + 1))
  const save = async () => {
    download(`${world}.case.jsonl`, await api.recording.read())
    await api.recording.stop()
  }
  const startedAt = running.data?.startedAt
  return (
    <section class="panel" aria-label="Recording">
      <div class="title-row">
        <span>
          {startedAt === undefined
            ? 'Record what happens in this world from now on: a case that runs again, without its secrets.'
            : `Recording since ${toSecond(startedAt)} UTC, by the world's clock.`}
        </span>
        <div class="buttons">
          {startedAt === undefined ? (
            <Button off={act.busy || !running.data} onClick={() => run(api.recording.start)}>
              Record
            </Button>
          ) : (
            <>
              <Button class="primary" off={act.busy} onClick={() => run(save)}>
                Stop and save the case
              </Button>
              <Ask
                label="Throw it away"
                question="Forget what was recorded?"
                off={act.busy}
                onYes={() => run(api.recording.stop)}
              />
            </>
          )}
        </div>
      </div>
      <Refusal error={running.error ?? act.error} />
    </section>
  )
}

async function readStart(): Promise<{ startedAt: string | undefined }> {
  try {
    const [header = ''] = (await api.recording.read()).split('\n', 1)
    return { startedAt: (JSON.parse(header) as { start: string }).start }
  } catch (error) {
    if (error instanceof ControlError && error.status === 404) return { startedAt: undefined }
    throw error
  }
}
