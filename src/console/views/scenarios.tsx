import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { useAct, useLoad, useWorldNow } from '../hooks.ts'
import { Ask } from '../parts/button.tsx'
import { Form } from '../parts/form.tsx'
import { Badge, Empty, Loading, Refusal } from '../parts/state.tsx'
import { count, toDistance, toMinute } from '../text.ts'
import type { Device, Page, Scenario } from '../types.ts'

/** What devices do by themselves, step by step, as the world's clock goes on. */
export function Scenarios() {
  const { data, error } = useLoad<Page<Scenario>>('scenarios?limit=100')
  const devices = useLoad<Page<Device>>('records/devices?limit=1')
  const now = useWorldNow(5000) ?? 0
  const act = useAct()
  const [device] = devices.data?.items ?? []
  return (
    <section>
      <div class="title-row">
        <h1>Scenarios</h1>
        <Ask
          label="End all"
          question="End all scenarios?"
          off={act.busy || !data?.totalCount}
          onYes={() => void act.run(() => call('DELETE', 'scenarios'))}
        />
      </div>
      {device ? <NewScenario deviceId={device.deviceId} /> : null}
      <Refusal error={error ?? act.error} />
      {!data && !error ? <Loading /> : null}
      {data?.totalCount === 0 ? <Empty title="Nothing plays." /> : null}
      <ul class="faults" aria-label="Scenarios">
        {data?.items.map(({ scenarioId, steps, nextStep, nextAt, plays, repeat }) => (
          <li key={scenarioId} class="panel">
            <div>
              <strong>{scenarioId}</strong>
              <p>
                Step {nextStep + 1} of {steps.length} at {toMinute(nextAt)}, {toDistance(Date.parse(nextAt), now)}
              </p>
            </div>
            <Badge>{`played ${count(plays, 'time')} of ${repeat === true ? 'any number' : repeat}`}</Badge>
            <Ask
              label="End"
              question="End it?"
              off={act.busy}
              onYes={() => void act.run(() => call('DELETE', `scenarios/${scenarioId}`))}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function NewScenario({ deviceId }: { deviceId: string }) {
  const [text, setText] = useState(() => JSON.stringify(example(deviceId), null, 2))
  const [unreadable, setUnreadable] = useState('')
  const act = useAct()
  const play = async () => {
    try {
      JSON.parse(text)
    } catch (error) {
      return setUnreadable(`This is not JSON: ${(error as Error).message}`)
    }
    setUnreadable('')
    await call('POST', 'scenarios', text)
  }
  return (
    <Form label="New scenario" class="panel card-form" onSubmit={() => void act.run(play)}>
      <label class="field">
        <span>Steps, each after the one before by the world's clock</span>
        <textarea
          class="mono"
          rows={12}
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <div class="buttons">
        <button type="submit" class="primary" aria-disabled={act.busy}>
          Play it
        </button>
        <span class="hint" role="status">
          {act.done && !unreadable ? 'It plays.' : ''}
        </span>
      </div>
      {unreadable ? (
        <p class="refusal" role="alert">
          {unreadable}
        </p>
      ) : null}
      <Refusal error={act.error} />
    </Form>
  )
}

function example(deviceId: string) {
  return {
    repeat: 3,
    steps: [
      { afterMs: 60_000, deviceId, status: 'OFFLINE' },
      { afterMs: 60_000, deviceId, status: 'ONLINE' },
    ],
  }
}
