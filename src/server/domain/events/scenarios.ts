import type { Ports } from '#server/ports.ts'
import type { Scenario, ScenarioDraft, ScenarioStep } from '#contract/records/events/scenario.ts'
import { type Finding, finding, invalidInput, notFound } from '../errors.ts'
import { newId } from '../ids.ts'
import { findUnknownChange } from './known-changes.ts'
import { scheduleStep } from './scenario-player.ts'

export async function startScenario(ports: Ports, { steps, repeat }: ScenarioDraft): Promise<Scenario> {
  await assertSteps(ports, steps)
  const nextAt = new Date(ports.clock.now() + steps[0]!.afterMs).toISOString()
  const scenarioId = await newId(ports.random, 'scenario', 'SC')
  const scenario: Scenario = { scenarioId, steps, repeat, plays: 0, nextStep: 0, nextAt }
  await ports.store.transaction(async (tx) => {
    await tx.scenarios.put(scenario)
    tx.emit({ notice: { kind: 'scenario-started', scenarioId } })
  })
  scheduleStep(ports, scenario)
  return scenario
}

export async function listScenarios({ store }: Ports, page: { offset: number; limit: number }) {
  return { items: await store.scenarios.find(page), totalCount: await store.scenarios.count() }
}

export async function deleteScenario({ store }: Ports, scenarioId: string): Promise<void> {
  const existed = await store.transaction((tx) => tx.scenarios.delete(scenarioId))
  if (!existed) throw notFound(`no scenario ${scenarioId} plays`, 'our choice: scenarios')
}

export async function clearScenarios({ store }: Ports): Promise<void> {
  await store.transaction(async (tx) => {
    for (const { scenarioId } of await tx.scenarios.find()) await tx.scenarios.delete(scenarioId)
  })
}

async function assertSteps({ store }: Ports, steps: readonly ScenarioStep[]): Promise<void> {
  const findings: Finding[] = []
  for (const [i, step] of steps.entries()) {
    const target = `body.steps[${i}]`
    const device = await store.devices.get(step.deviceId)
    const { capability, attribute, value, force } = step
    if (!device) findings.push(finding(`${target}.deviceId`, 'names no device', { source: 'our choice: scenarios' }))
    else if (capability !== undefined && attribute !== undefined) {
      findings.push(...findUnknownChange(device, { capability, attribute, value, force }, target))
    }
  }
  if (findings.length > 0) throw invalidInput(findings)
}
