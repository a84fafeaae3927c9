import type { Worlds } from '../ports.ts'
import type { FirstWorld, KeptWorld } from './open-world.ts'

export interface WorldsOptions {
  /** Lets go of what keeps the worlds. */
  whenClosed?: () => Promise<void>
  /** Takes up what other instances have done, when a world is asked for that is not known here. */
  whenUnknown?: () => Promise<void>
  /** Tells other instances of a change to the worlds that is done; resolves when they have taken it up. */
  whenChanged?: () => Promise<void>
}

export interface WorldRegistry extends Worlds {
  /** Does here what other instances have done: `list` gives the worlds there are now, `reopen` opens one of them. */
  follow<K extends KeptWorld>(list: Lister<K>, reopen: (kept: K) => Promise<FirstWorld>): Promise<void>
  /** Ends every world. */
  close(): Promise<void>
}

export type Lister<K extends KeptWorld> = () => readonly K[] | Promise<readonly K[]>
