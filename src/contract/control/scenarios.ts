import { z } from 'zod'
import { noContent } from '../operation.ts'
import { scenario, scenarioDraft } from '../records/events/scenario.ts'
import { pageOf, paging } from '../records/parameters.ts'
import { defineControl } from './define.ts'

const light = {
  deviceId: 'aaaaaaaa-0000-4000-8000-000000000001',
  capability: 'switch',
  attribute: 'switch',
}

export const scenarioOperations = defineControl('Scenarios', {
  startScenario: {
    // Null and empty values of an attribute are values.
    validatesItself: true,
    summary: "Play steps on devices by the world's clock, from now on",
    body: scenarioDraft,
    reply: scenario,
    otherStatuses: [400],
    example: {
      body: {
        steps: [
          { afterMs: 1000, ...light, value: 'on' },
          { afterMs: 2000, ...light, value: 'off' },
        ],
      },
    },
  },
  listScenarios: {
    summary: 'What plays; what is over is no longer listed',
    query: paging,
    reply: pageOf(scenario),
    otherStatuses: [400],
  },
  clearScenarios: { summary: 'Nothing plays any more', reply: noContent },
  deleteScenario: {
    summary: 'Delete a scenario',
    params: z.object({ scenarioId: z.string() }),
    reply: noContent,
    otherStatuses: [404],
    example: { needs: 'scenarioId, from startScenario' },
  },
})
