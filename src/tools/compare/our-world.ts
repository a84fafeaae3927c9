import { setTimeout as wait } from 'node:timers/promises'
import type { CaseCall, CaseFrame } from '../../contract/records/control/case.ts'
import type { VendorProfile } from '../../contract/records/control/vendor-profile.ts'
import type { CasePlayer } from '../cases/player/case-player.ts'
import type { ComparedCall, ComparedFrame, Peer } from './peer.ts'
import type { ComparedReply } from './replies.ts'
import { Side } from './side.ts'
import { standIn } from './stand-ins.ts'

/** The server needs this much real time to see that a client has left. */
const LEAVING = 2000

/** The world's clock stands at each step's instant, so replies that depend on time are comparable. */
export class OurWorld implements Peer {
  readonly #player: CasePlayer
  readonly #side: Side

  private constructor(player: CasePlayer) {
    this.#player = player
    this.#side = new Side({ ...player.world.address, bindings: player.bindings })
  }

  /** The given profile replaces the one of the case. */
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

  /** Waits until the server has seen the stream's client leave, so that another stream may be opened. */
  async hasLeft({ path }: CaseCall): Promise<void> {
    const [, subscriptionId = ''] = /^\/filters\/([^/?]+)/.exec(this.#side.translate(path)) ?? []
    for (let left = LEAVING; left > 0 && this.#player.world.hasStream(subscriptionId); left -= 5) await wait(5)
  }

  /** The world stays: it belongs to the player, which may run again. */
  close(): Promise<void> {
    return this.#side.close()
  }
}
