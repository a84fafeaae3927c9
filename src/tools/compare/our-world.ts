import { setTimeout as wait } from 'node:timers/promises'
import type { Bindings } from '#contract/files/placeholders.ts'
import type { HttpRequest } from '#contract/exchange.ts'
import type { VendorProfile } from '#contract/records/control/vendor-profile.ts'
import { knownFixtures } from '#contract/records/known-fixtures.ts'
import type { CasePlayer } from '../cases/player/case-player.ts'
import { Side } from './side.ts'
import type { CallStep } from '#contract/files/case.ts'

/** The server needs this much real time to see that a client has left. */
const LEAVING = 2000

/** The world's clock stands at each step's instant, so replies that depend on time are comparable. */
export class OurWorld extends Side {
  readonly #player: CasePlayer

  private constructor(player: CasePlayer) {
    super({ ...player.world.address, bindings: player.bindings })
    this.#player = player
  }

  /** The given profile replaces the one of the case. */
  static async open(player: CasePlayer, profile?: VendorProfile): Promise<OurWorld> {
    if (profile) await player.world.setProfile(profile)
    return new OurWorld(player)
  }

  moveTo(at: string): Promise<void> {
    return this.#player.moveTo(at)
  }

  override lacks(asked: CallStep): boolean {
    standIn(this.#player.bindings, asked.call)
    return super.lacks(asked)
  }

  /** Waits until the server has seen the stream's client leave, so that another stream may be opened. */
  async hasLeft({ path }: HttpRequest): Promise<void> {
    const [, subscriptionId = ''] = /^\/filters\/([^/?]+)/.exec(this.translate(path)) ?? []
    for (let left = LEAVING; left > 0 && this.#player.world.hasStream(subscriptionId); left -= 5) await wait(5)
  }
}

const MARK = String.raw`\{\{token:(\d+)\}\}`
const [token] = knownFixtures.tokens
const [partner] = knownFixtures.partners
const [seller] = knownFixtures.sellers
const [web, , splus] = knownFixtures.callers
const [dealer] = knownFixtures.dealers

/** Lists the places of a secret in a call, and the people of the fixtures who may stand in. */
const places = [
  [`"authorization":"Bearer ${MARK}"`, token],
  [`secret>${MARK}<`, seller],
  [`partnerCode=${MARK}`, partner],
  [`"vendorus-guid":"${MARK}"`, splus],
  [`vendorus-prof-?id(?:":"|=)${MARK}`, web],
] as const

/**
 * The upstream's callers are unknown to our fixtures, so a person of the fixtures calls in our world wherever a secret
 * has no value there.
 */
function standIn(bindings: Bindings, call: HttpRequest): void {
  const text = JSON.stringify(call)
  for (const [place, name] of places) {
    for (const [, n] of text.matchAll(new RegExp(place, 'gi'))) {
      const isDealer = name === web && call.path.includes('/dealer/')
      if (bindings.lacks(`{{token:${n}}}`)) bindings.set(Number(n), isDealer ? dealer : name)
    }
  }
}
