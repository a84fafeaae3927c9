import { useState } from 'preact/hooks'
import type { ScenarioInput } from '#tools/client/types.ts'
import { api } from '#tools/console/address.ts'
import { useLoad, useRecords, useWorldNow } from '#tools/console/live.ts'
import { Ask } from '#tools/console/parts/basics.tsx'
import { JsonForm } from '#tools/console/parts/form.tsx'
import { Table } from '#tools/console/parts/table.tsx'
import { count, toDistance, toMinute } from '#tools/console/text.ts'

export function Scenarios() {
  const scenarios = useLoad('listScenarios', { query: { limit: 100 } })
  const devices = useRecords('devices', { limit: 1 })
  const now = useWorldNow(5000) ?? 0
  const [device] = devices.data?.items ?? []
  return (
    <section>
      <div class="title-row">
        <h1>Scenarios</h1>
        <Ask
          label="End all scenarios"
          question="End all scenarios?"
          done="Ended all scenarios"
          off={!scenarios.data?.totalCount}
          onYes={api.scenarios.clear}
        />
      </div>
      {device ? <NewScenario deviceId={device.deviceId} /> : null}
      <Table
        label="Scenarios"
        noun="scenario"
        of={scenarios}
        columns={[
          { title: 'Scenario', cell: ({ scenarioId }) => scenarioId },
          { title: 'Next step', cell: ({ steps, nextStep }) => `Step ${nextStep + 1} of ${steps.length}` },
          { title: 'At', cell: ({ nextAt }) => `${toMinute(nextAt)}, ${toDistance(Date.parse(nextAt), now)}` },
          {
            title: 'Played',
            cell: ({ plays, repeat }) => `${count(plays, 'time')} of ${repeat === true ? 'any number' : repeat}`,
          },
        ]}
        ask={({ scenarioId }) => ({
          label: 'End scenario',
          question: 'End this scenario?',
          done: `Ended scenario ${scenarioId}`,
          onYes: () => api.scenarios.remove(scenarioId),
        })}
        keyOf={({ scenarioId }) => scenarioId}
        wraps
        empty="No scenario is running."
      />
    </section>
  )
}

function NewScenario({ deviceId }: { deviceId: string }) {
  const steps = ['OFFLINE', 'ONLINE'].map((status) => ({ afterMs: 60_000, deviceId, status }))
  const [text, setText] = useState(JSON.stringify({ repeat: 3, steps }, null, 2))
  return (
    <JsonForm
      label="New scenario"
      class="panel column"
      title="Steps. Each afterMs is counted from the previous step, by the world's clock"
      rows={12}
      text={text}
      onInput={setText}
      submit="Start scenario"
      onSubmit={(scenario) => api.scenarios.start(scenario as ScenarioInput)}
      done="Started the scenario"
    />
  )
}
