import { STEP, simulateStep } from '../domain/events/simulation.ts'
import { portsOfWork } from '../domain/work-ports.ts'
import type { Ports } from '../ports.ts'

/**
 * SIMULATE=1: the world's devices live, on its clock, until it ends. The next step is put down after the turn: when
 * somebody moves the clock by a month, one step happens on the way and not two and a half million.
 */
export function simulate(ports: Ports): void {
  let step = 0
  const next = () => void ports.scheduler.schedule(ports.clock.now() + STEP, run, 'step of the simulation')
  const run = async () => {
    // A step that the store would not take is left out; the next one may fare better.
    await takeStep(step++).catch(() => {})
    setImmediate(next)
  }
  // The steps are counted by every instance, so that one can go on for another.
  const takeStep = async (number: number) => {
    if (await ports.bus.isLeader('simulation')) await simulateStep(portsOfWork(ports), number)
  }
  next()
}
