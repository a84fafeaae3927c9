import type { Ports } from '../../ports.ts'
import type { Scenario, ScenarioStep } from '../../../contract/records/events/scenario.ts'
import { DomainError } from '../errors.ts'
import { portsOfWork } from '../work-ports.ts'
import { changeLifecycle, emitDeviceEvent, reportHealth } from './device-events.ts'

/** Goes on with what plays in a world that has just been opened, and plays along with what other instances begin. */
export async function resumeScenarios(ports: Ports): Promise<void> {
  ports.bus.listen({
    onEvent: () => {},
    onNotice: (notice) => {
      if (notice.kind === 'scenario-started') joinIn(ports, notice.scenarioId)
    },
  })
  for (const scenario of await ports.store.scenarios.find()) scheduleStep(ports, scenario)
}

/** As a task: it is tried again when the store is out of reach just now. */
function joinIn(ports: Ports, scenarioId: string): void {
  ports.scheduler.schedule(ports.clock.now(), async () => {
    const scenario = await ports.store.scenarios.get(scenarioId)
    if (scenario) scheduleStep(ports, scenario)
  })
}

/** Our choice: about so many steps of a scenario are played by one move of the clock, the last ones. */
const MOST_STEPS_AT_ONCE = 10_000

/** Once, however often it is heard of: the scheduler takes no second task of a name. */
export function scheduleStep(ports: Ports, scenario: Scenario): void {
  const { deviceId } = scenario.steps[scenario.nextStep]!
  const what = `scenario ${scenario.scenarioId}, step ${scenario.nextStep + 1}, device ${deviceId}`
  ports.scheduler.schedule(Date.parse(scenario.nextAt), (until) => playStep(ports, scenario, until), what)
}

/**
 * The step is taken out of the record first: of several instances one plays it, and none after it was deleted. The next
 * one is nobody's before it has been heard of.
 */
async function playStep(ports: Ports, due: Scenario, until: number): Promise<void> {
  const next = toNext(due, until)
  await ports.bus.withLock(due.scenarioId, async () => {
    const taken = await ports.store.transaction(async (tx) => {
      const current = await tx.scenarios.get(due.scenarioId)
      if (current?.plays !== due.plays || current.nextStep !== due.nextStep) return false
      if (next) await tx.scenarios.put(next)
      else await tx.scenarios.delete(due.scenarioId)
      return true
    })
    if (!taken) return followScenario(ports, due)
    if (next) scheduleStep(ports, next)
    await takeStep(portsOfWork(ports), due.steps[due.nextStep]!)
  })
}

/** Another instance has played the step: whichever is quicker plays the next, so that one that dies stops nothing. */
async function followScenario(ports: Ports, { scenarioId, plays, nextStep }: Scenario): Promise<void> {
  const current = await ports.store.scenarios.get(scenarioId)
  if (current && (current.plays !== plays || current.nextStep !== nextStep)) scheduleStep(ports, current)
}

/**
 * Counted from when the step was due, so that no play drifts. When the clock is on its way far ahead, only the last
 * plays before `until` are played: an endless scenario would keep a move of a day busy for a minute.
 */
function toNext(due: Scenario, until: number): Scenario | undefined {
  const isLast = due.nextStep === due.steps.length - 1
  const plays = isLast ? due.plays + 1 : due.plays
  if (due.repeat !== true && plays >= due.repeat) return undefined
  const nextStep = isLast ? 0 : due.nextStep + 1
  const nextAt = new Date(Date.parse(due.nextAt) + due.steps[nextStep]!.afterMs).toISOString()
  const next = { ...due, plays, nextStep, nextAt }
  return isLast ? skipPlays(next, until) : next
}

function skipPlays(next: Scenario, until: number): Scenario {
  const { steps, repeat, plays, nextAt } = next
  const length = steps.reduce((sum, { afterMs }) => sum + afterMs, 0)
  const ahead = Math.min(Math.floor((until - Date.parse(nextAt)) / length), repeat === true ? Infinity : repeat - plays)
  const skipped = ahead - Math.ceil(MOST_STEPS_AT_ONCE / steps.length)
  if (skipped <= 0) return next
  return { ...next, plays: plays + skipped, nextAt: new Date(Date.parse(nextAt) + skipped * length).toISOString() }
}

async function takeStep(ports: Ports, step: ScenarioStep): Promise<void> {
  const { deviceId, capability, attribute, status, reason, lifecycle, roomIdTo, component, value, unit, data } = step
  try {
    if (status) await reportHealth(ports, deviceId, { status, reason })
    else if (lifecycle) await changeLifecycle(ports, deviceId, { lifecycle, roomIdTo })
    else {
      const change = { component, capability: capability!, attribute: attribute!, value, unit, data }
      await emitDeviceEvent(ports, deviceId, change)
    }
  } catch (error) {
    // A device that was deleted since says nothing any more.
    if (!(error instanceof DomainError && error.code === 'not-found')) throw error
  }
}
