import { createMemoryBlobs } from '../adapters/memory/blobs.ts'
import { createMemoryBus } from '../adapters/memory/bus.ts'
import { createMemoryStore } from '../adapters/memory/store.ts'
import type { WorldPlan } from '../ports.ts'
import { createInitialStates, type InitialState } from './initial-state.ts'
import { WorldRegistry } from './registry.ts'
import { createAssembler, type RunningWorld, type WorldSettings } from './running-world.ts'

/** Worlds that live as long as the process. A reset begins the default one with `state`, or else with the fixtures. */
export function createMemoryWorlds(settings: WorldSettings, plan: WorldPlan, state?: InitialState): WorldRegistry {
  const open = createMemoryOpener(settings)
  const { fromSnapshot } = createInitialStates(settings)
  return new WorldRegistry({ plan, world: open(plan, state) }, { real: settings.clock, open, fromSnapshot })
}

function createMemoryOpener(settings: WorldSettings) {
  const { fromFixtures } = createInitialStates(settings)
  const assemble = createAssembler(settings)
  return (plan: WorldPlan, begunWith?: InitialState): RunningWorld => {
    const state = begunWith ?? fromFixtures(plan)
    const store = createMemoryStore({ records: state.records })
    const blobs = createMemoryBlobs(state.blobs)
    const bus = createMemoryBus(state.eventsFrom)
    const world = assemble({ plan, state, storage: { store, blobs }, bus })
    return {
      ...world,
      ...(begunWith && { initialState: () => begunWith }),
      // Tables are shared until either world writes to them.
      copyState() {
        const { now, frozen } = world.ports.clockControl.read()
        const eventsFrom = Math.ceil(bus.head() / 1000)
        return { seed: state.seed, clock: { now, frozen }, eventsFrom, records: store.share(), blobs: blobs.share() }
      },
    }
  }
}
