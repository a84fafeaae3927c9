import { createCertificates } from '../adapters/certificates/certificates.ts'
import { cryptoRandom } from '../adapters/node/random.ts'
import type { Housing } from '../adapters/engine.ts'
import { keepClock } from '../adapters/node/kept-clock.ts'
import { createMemoryFaults } from '../adapters/memory/faults.ts'
import { createMemoryJournal } from '../adapters/memory/journal.ts'
import { nodeDigests } from '../adapters/node/digests.ts'
import { createSeededRandom } from '../adapters/node/seeded-random.ts'
import { nodeTurns } from '../adapters/node/turns.ts'
import { createStreamDirectory } from '../adapters/memory/streams.ts'
import type { WorldClock } from '../adapters/node/world-clock.ts'
import type { Bus, Clock, WorldPlan, ZipCodes } from '../ports.ts'
import type { Snapshot } from '../schemas/snapshot.ts'
import type { Fixtures } from '../seed/fixtures.ts'
import type { OpenWorld } from './open-world.ts'
import { toClockState } from './beginnings.ts'

/** What all worlds of a process share. */
export interface Foundation {
  fixtures: Fixtures
  zipCodes: ZipCodes
  /** Real time, which the worlds' clocks start from. */
  clock: Clock
  publicUrl?: string | undefined
  /** Milliseconds. */
  subscriptionTtl?: number | undefined
}

export interface Parts {
  /** With the seed that its ids are a function of now. */
  plan: WorldPlan
  clock: WorldClock
  /** How often the clock was moved before, where that is kept. */
  clockMoves?: number | undefined
  housing: Pick<Housing, 'store' | 'blobs'> & Partial<Housing>
  bus: Bus & { forget?(): Promise<void> }
  snapshot?: Snapshot | undefined
}

/**
 * The instant that a world's events are numbered from: those of a seeded world alike wherever it starts; one that goes
 * on must not number them again.
 */
export function numberedFrom({ seed }: WorldPlan, goesOn: boolean, real: Clock): number {
  return seed === undefined || goesOn ? real.now() : 0
}

/** Puts worlds together from their parts and from what all of them share. */
export function createAssembler({ publicUrl, subscriptionTtl, zipCodes }: Foundation) {
  const certificates = createCertificates()
  return ({ plan, clock, housing, bus, snapshot, clockMoves = 0 }: Parts): OpenWorld => {
    const { store, blobs, saveClock, ping } = housing
    const place = (at: Snapshot['clock']) => clock.restore(toClockState(at))
    const kept = saveClock && ping && keepClock(clock, { saveClock, ping, place, moves: clockMoves })
    const streams = createStreamDirectory()
    const end = async () => {
      streams.close()
      clock.close()
      await bus.close()
    }
    return {
      ...(housing.id !== undefined && { id: housing.id }),
      ports: {
        world: { name: plan.name, publicUrl, seed: plan.seed, subscriptionTtl },
        store,
        clock,
        clockControl: kept?.control ?? clock,
        scheduler: clock,
        bus,
        streams,
        journal: createMemoryJournal(),
        faults: createMemoryFaults(snapshot?.faults),
        random: plan.seed === undefined ? cryptoRandom : createSeededRandom(plan.seed, store),
        digests: nodeDigests,
        blobs,
        zipCodes,
        certificates,
        turns: nodeTurns,
      },
      async close() {
        await end()
        await (housing.close ?? store.close)()
      },
      async discard() {
        // When it cannot be discarded it goes on.
        await (housing.discard ?? store.close)()
        await end()
        await bus.forget?.()
      },
      moveClock: (at) => kept?.follow(at),
    }
  }
}
