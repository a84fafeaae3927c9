import { STEP, simulateStep } from '../domain/events/simulation.ts'
import { portsOfWork } from '../domain/work-ports.ts'
import type { Ports } from '../ports.ts'

/** The next step is scheduled after the turn, so a clock that moves by a month makes one step and not millions. */
export function simulate(ports: Ports): void {
  let step = 0
  const next = () => void ports.scheduler.schedule(ports.clock.now() + STEP, run, 'step of the simulation')
  const run = async () => {
    // A step that the store refused is skipped.
    await takeStep(step++).catch(() => {})
    setImmediate(next)
  }
  // Every instance counts the steps, so that one can take over from another.
  const takeStep = async (number: number) => {
    if (await ports.bus.isLeader('simulation')) await simulateStep(portsOfWork(ports), number)
  }
  next()
}
