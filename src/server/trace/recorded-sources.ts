import { toAlphanumeric } from '../domain/ids.ts'
import type { Ports } from '../ports.ts'
import type { Random } from '../ports/chance.ts'
import type { Clock } from '../ports/clock.ts'

/** Kinds of chance that secrets are made of, by two bytes a character: they are no function of the case's seed. */
const secretKinds: ReadonlySet<string> = new Set(['accessToken', 'serviceToken', 'ctiToken', 'cancelKey'])

/** A recording's clock and chance: ids are drawn by its seed. Work that outlives it draws as the world does again. */
export function createRecordedSources({ clock, random, seededRandom }: Ports, seed: string) {
  let seeded: Random | undefined = seededRandom(seed)
  let instant: number | undefined
  const issued = new Set<string>()
  const recordedClock: Clock = { now: () => instant ?? clock.now() }
  const recordedRandom: Random = {
    bytes: async (kind, length) => {
      if (!seeded) return random.bytes(kind, length)
      if (!secretKinds.has(kind)) return seeded.bytes(kind, length)
      const drawn = await random.bytes(kind, length)
      issued.add(toAlphanumeric(drawn, length / 2))
      return drawn
    },
  }
  /** The clock stands while a call has its turn. */
  const stand = (at: number | undefined) => {
    instant = at
  }
  const stop = () => {
    stand(undefined)
    seeded = undefined
  }
  return { sources: { clock: recordedClock, random: recordedRandom }, issued, stand, stop }
}
