import { setTimeout as wait } from 'node:timers/promises'
import type { CaseCall, CaseFrame } from '../../contract/records/control/case.ts'
import type { VendorProfile } from '../../contract/records/control/vendor-profile.ts'
import type { CasePlayer } from '../cases/player/case-player.ts'
import type { ComparedFrame } from './comparison.ts'
import type { ComparedReply } from './replies.ts'
import { type ComparedCall, type Peer, Side } from './side.ts'
import { standIn } from './stand-ins.ts'

/** Milliseconds of real time in which a server sees that a client has left. */
const LEAVING = 2000

/** The world of ours that a case is compared in, its clock standing at each step's instant. */
export class OurWorld implements Peer {
  readonly #player: CasePlayer
  readonly #side: Side

  private constructor(player: CasePlayer) {
    this.#player = player
    this.#side = new Side({ ...player.address, bindings: player.bindings })
  }

  /** Bent by the profile, or by that of the case. */
  static async open(player: CasePlayer, profile?: VendorProfile): Promise<OurWorld> {
    if (profile) await player.world.setProfile(profile)
    return new OurWorld(player)
  }

  get profile(): VendorProfile | undefined {
    return this.#player.world.profile()
  }

  moveTo(at: string): Promise<void> {
    return this.#player.moveTo(at)
  }

  lacks(asked: ComparedCall): boolean {
    standIn(this.#player.bindings, asked.call)
    return this.#side.lacks(asked)
  }

  ask(asked: ComparedCall): Promise<ComparedReply> {
    return this.#side.ask(asked)
  }

  countFrames(step: number): number {
    return this.#side.countFrames(step)
  }

  takeFrames(step: number, recorded: readonly CaseFrame[]): ComparedFrame[] {
    return this.#side.takeFrames(step, recorded)
  }

  /** The stream that this call opened is at its end, so that another may be opened. */
  async hasLeft({ path }: CaseCall): Promise<void> {
    const [, subscriptionId = ''] = /^\/filters\/([^/?]+)/.exec(this.#side.translate(path)) ?? []
    for (let left = LEAVING; left > 0 && this.#player.world.hasStream(subscriptionId); left -= 5) await wait(5)
  }

  /** Its connections; the player's world is there for another run. */
  close(): Promise<void> {
    return this.#side.close()
  }
}
