import { useState } from 'preact/hooks'
import type { ScenarioInput } from '#tools/client/types.ts'
import { api } from '#tools/console/address.ts'
import { useAct, useLoad, useRecords, useWorldNow } from '#tools/console/hooks.ts'
import { Ask } from '#tools/console/parts/button.tsx'
import { JsonForm } from '#tools/console/parts/form.tsx'
import { Item, List } from '#tools/console/parts/list.tsx'
import { Badge, Refusal } from '#tools/console/parts/state.tsx'
import { count, toDistance, toMinute } from '#tools/console/text.ts'

export function Scenarios() {
  const scenarios = useLoad('listScenarios', { query: { limit: 100 } })
  const devices = useRecords('devices', { limit: 1 })
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
          act={act}
          off={!scenarios.data?.totalCount}
          onYes={api.scenarios.clear}
        />
      </div>
      {device ? <NewScenario deviceId={device.deviceId} /> : null}
      <Refusal error={act.error} />
      <List label="Scenarios" kind="items" of={scenarios} empty="Nothing plays.">
        {({ scenarioId, steps, nextStep, nextAt, plays, repeat }) => (
          <Item
            key={scenarioId}
            title={scenarioId}
            note={`Step ${nextStep + 1} of ${steps.length} at ${toMinute(nextAt)}, ${toDistance(Date.parse(nextAt), now)}`}
          >
            <Badge>{`played ${count(plays, 'time')} of ${repeat === true ? 'any number' : repeat}`}</Badge>
            <Ask label="End" question="End it?" act={act} onYes={() => api.scenarios.remove(scenarioId)} />
          </Item>
        )}
      </List>
    </section>
  )
}

function NewScenario({ deviceId }: { deviceId: string }) {
  const [text, setText] = useState(() => JSON.stringify(example(deviceId), null, 2))
  return (
    <JsonForm
      label="New scenario"
      class="panel column"
      title="Steps, each after the one before by the world's clock"
      rows={12}
      text={text}
      onInput={setText}
      submit="Play it"
      onSubmit={(scenario) => api.scenarios.start(scenario as ScenarioInput)}
      done="It plays."
    />
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
