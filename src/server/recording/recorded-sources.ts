import { drawnSecrets } from '#contract/records/secret-names.ts'
import { toAlphanumeric } from '../domain/ids.ts'
import type { Ports } from '../ports.ts'
import type { Random } from '../ports/chance.ts'
import type { Clock } from '../ports/clock.ts'

/**
 * Ids follow from the recording's seed, so a replay draws the same; secrets never do. Work that outlives the recording
 * draws from the world again.
 */
export function createRecordedSources({ clock, random, seededRandom, world }: Ports, seed: string) {
  let seeded: Random | undefined = seededRandom(seed)
  let instant: number | undefined
  const issued = new Set<string>()
  const recordedClock: Clock = { now: () => instant ?? clock.now() }
  const recordedRandom: Random = {
    bytes: async (kind, length) => {
      if (!seeded) return random.bytes(kind, length)
      if (!Object.hasOwn(drawnSecrets, kind)) return seeded.bytes(kind, length)
      const drawn = await random.bytes(kind, length)
      // A seeded world counts all that it draws, and so does the world in which the case is played.
      if (world.seed === undefined) await seeded.bytes(kind, 1)
      // A token takes two bytes a character.
      issued.add(toAlphanumeric(drawn, length / 2))
      return drawn
    },
  }
  /** The clock stands while a call has its turn, so that the call sees one instant. */
  const stand = (at: number | undefined) => {
    instant = at
  }
  const stop = () => {
    stand(undefined)
    seeded = undefined
  }
  return { sources: { clock: recordedClock, random: recordedRandom }, issued, stand, stop }
}
