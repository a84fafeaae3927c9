import type { Ports } from '#server/ports.ts'
import type { Scenario, ScenarioDraft, ScenarioStep } from '#contract/records/events/scenario.ts'
import { suggestNearest } from '#contract/records/nearest.ts'
import { DomainError, type Finding, finding, invalidInput, notFound } from '../errors.ts'
import { newId } from '../ids.ts'
import { findUnknownChange } from './known-changes.ts'
import type { Transaction } from '#server/ports/store.ts'
import { portsOfWork } from '../work-ports.ts'
import { type InSameTransaction, changeLifecycle, emitDeviceEvent, findDevice, reportHealth } from './device-events.ts'

export async function startScenario(ports: Ports, { steps: given, repeat }: ScenarioDraft): Promise<Scenario> {
  const steps = await toKnownSteps(ports, given)
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
  if (existed) return
  const known = (await store.scenarios.find({ limit: 1000 })).map((each) => each.scenarioId)
  throw notFound(`scenario ${scenarioId} is not running${suggestNearest(scenarioId, known)}`, 'our choice: scenarios')
}

export async function clearScenarios({ store }: Ports): Promise<void> {
  await store.transaction(async (tx) => {
    for (const { scenarioId } of await tx.scenarios.find()) await tx.scenarios.delete(scenarioId)
  })
}

/** Replaces the names of devices with their IDs. */
async function toKnownSteps({ store }: Ports, steps: readonly ScenarioStep[]): Promise<ScenarioStep[]> {
  const findings: Finding[] = []
  const known: ScenarioStep[] = []
  for (const [i, step] of steps.entries()) {
    const target = `body.steps[${i}]`
    const device = await findDevice(store, step.deviceId)
    if (typeof device === 'string') {
      findings.push(finding(`${target}.deviceId`, device, { source: 'our choice: scenarios' }))
      continue
    }
    known.push({ ...step, deviceId: device.deviceId })
    const { capability, attribute, value, force } = step
    if (capability !== undefined && attribute !== undefined) {
      findings.push(...findUnknownChange(device, { capability, attribute, value, force }, target))
    }
  }
  if (findings.length > 0) throw invalidInput(findings)
  return known
}

/** Resumes stored scenarios. Also schedules scenarios that other instances start. */
export async function resumeScenarios(ports: Ports): Promise<void> {
  ports.bus.listen({
    onEvent: () => {},
    onNotice: (notice) => {
      if (notice.kind === 'scenario-started') joinIn(ports, notice.scenarioId)
    },
  })
  for (const scenario of await ports.store.scenarios.find()) scheduleStep(ports, scenario)
}

/** If the store is not available, the scheduler retries the task. */
function joinIn(ports: Ports, scenarioId: string): void {
  ports.scheduler.schedule(ports.clock.now(), async () => {
    const scenario = await ports.store.scenarios.get(scenarioId)
    if (scenario) scheduleStep(ports, scenario)
  })
}

/** Approximate. If the clock moves far ahead, only the last steps of each scenario run. */
const MOST_STEPS_AT_ONCE = 10_000

/** May be called repeatedly. The scheduler ignores a task that has the name of a pending one. */
function scheduleStep(ports: Ports, scenario: Scenario): void {
  const { deviceId } = scenario.steps[scenario.nextStep]!
  const what = `scenario ${scenario.scenarioId}, step ${scenario.nextStep + 1}, device ${deviceId}`
  ports.scheduler.schedule(Date.parse(scenario.nextAt), (until) => playStep(ports, scenario, until), what)
}

/** Thrown if another instance has already run the step, or if the scenario was deleted. */
class AlreadyPlayed extends Error {}

/** Updates the scenario in the transaction of the step, so that only one instance runs the step. */
async function playStep(ports: Ports, due: Scenario, until: number): Promise<void> {
  const next = await toNext(ports, due, until)
  const moveOn = async ({ scenarios }: Transaction) => {
    if (!isDue(await scenarios.get(due.scenarioId), due)) throw new AlreadyPlayed()
    if (next) await scenarios.put(next)
    else await scenarios.delete(due.scenarioId)
  }
  try {
    // Avoids generating IDs for a step that another instance has already run.
    if (!isDue(await ports.store.scenarios.get(due.scenarioId), due)) throw new AlreadyPlayed()
    await takeStep(portsOfWork(ports), due.steps[due.nextStep]!, moveOn)
  } catch (error) {
    if (error instanceof AlreadyPlayed) return followScenario(ports, due)
    throw error
  }
  if (next) scheduleStep(ports, next)
}

const isDue = (current: Scenario | undefined, { plays, nextStep }: Scenario): boolean =>
  current?.plays === plays && current.nextStep === nextStep

/** All instances schedule the next step. The first instance to start the step runs it. */
async function followScenario(ports: Ports, due: Scenario): Promise<void> {
  const current = await ports.store.scenarios.get(due.scenarioId)
  if (current && !isDue(current, due)) scheduleStep(ports, current)
}

/** Relative to the planned time, so that delays do not add up. After a long jump, only the last steps run. */
async function toNext(ports: Ports, due: Scenario, until: number): Promise<Scenario | undefined> {
  const isLast = due.nextStep === due.steps.length - 1
  const plays = isLast ? due.plays + 1 : due.plays
  if (due.repeat !== true && plays >= due.repeat) return undefined
  const nextStep = isLast ? 0 : due.nextStep + 1
  const nextAt = new Date(Date.parse(due.nextAt) + due.steps[nextStep]!.afterMs).toISOString()
  const next = { ...due, plays, nextStep, nextAt }
  return isLast ? skipPlays(ports, next, until) : next
}

async function skipPlays({ store }: Ports, next: Scenario, until: number): Promise<Scenario> {
  const { steps, repeat, plays, nextAt } = next
  const length = steps.reduce((sum, { afterMs }) => sum + afterMs, 0)
  const ahead = Math.min(Math.floor((until - Date.parse(nextAt)) / length), repeat === true ? Infinity : repeat - plays)
  if (ahead <= 0) return next
  const share = MOST_STEPS_AT_ONCE / (await store.scenarios.count())
  const skipped = ahead - Math.ceil(share / steps.length)
  if (skipped <= 0) return next
  return { ...next, plays: plays + skipped, nextAt: new Date(Date.parse(nextAt) + skipped * length).toISOString() }
}

async function takeStep(ports: Ports, step: ScenarioStep, moveOn: InSameTransaction): Promise<void> {
  const { deviceId, capability, attribute, status, reason, lifecycle, roomIdTo, component, value, unit, data } = step
  try {
    if (status) await reportHealth(ports, deviceId, { status, reason }, moveOn)
    else if (lifecycle) await changeLifecycle(ports, deviceId, { lifecycle, roomIdTo }, moveOn)
    else {
      const change = { component, capability: capability!, attribute: attribute!, value, unit, data }
      await emitDeviceEvent(ports, deviceId, change, moveOn)
    }
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'not-found')) throw error
    // A deleted device sends no events, so only the scenario is updated.
    await ports.store.transaction(moveOn)
  }
}
