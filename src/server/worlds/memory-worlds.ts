import { toFirstSequence } from '../adapters/engine.ts'
import { createMemoryBlobs } from '../adapters/memory/blobs.ts'
import { createMemoryBus } from '../adapters/memory/bus.ts'
import { EventLog } from '../adapters/memory/event-log.ts'
import { createMemoryStore } from '../adapters/memory/store.ts'
import type { WorldPlan } from '../ports/worlds.ts'
import { createInitialStates, type InitialState } from './initial-state.ts'
import { WorldRegistry } from './registry.ts'
import { profileOf } from './world-profile.ts'
import { createAssembler, type RunningWorld, type WorldSettings } from './running-world.ts'

/** A reset returns the default world to `state` or, if absent, to the fixtures. */
export function createMemoryWorlds(settings: WorldSettings, plan: WorldPlan, state?: InitialState): WorldRegistry {
  const states = createInitialStates(settings)
  const assemble = createAssembler(settings)
  const open = (planned: WorldPlan, begunWith?: InitialState, replaced?: { createdAt: number }): RunningWorld => {
    const begun = begunWith ?? states.fromFixtures(planned)
    const bus = createMemoryBus(new EventLog(toFirstSequence(begun.eventsFrom)))
    const store = createMemoryStore({
      records: begun.records,
      whenApplied: (_changes, messages) => bus.deliver(messages),
    })
    const blobs = createMemoryBlobs(begun.blobs)
    const world = assemble({
      plan: planned,
      state: begun,
      storage: { store, blobs, bus },
      kept: profileOf(begun.records),
    })
    return {
      ...world,
      createdAt: replaced?.createdAt ?? states.real.now(),
      ...(begunWith && { initialState: () => begunWith }),
      // Worlds share tables until one of them writes to the table.
      copyState() {
        const { now, frozen } = world.ports.clockControl.read()
        const eventsFrom = Math.ceil(bus.head() / 1000)
        return { seed: begun.seed, clock: { now, frozen }, eventsFrom, records: store.share(), blobs: blobs.share() }
      },
    }
  }
  const first = open(plan, state && states.withUsualProfile(state))
  // The state is determined at each reset and not now, because the server sets the default profile after this call.
  if (state) first.initialState = () => states.withUsualProfile(state)
  return new WorldRegistry(first, { ...states, open })
}
