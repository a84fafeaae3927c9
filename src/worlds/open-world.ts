import type { Ports, WorldPlan } from '../ports.ts'
import type { Snapshot } from '../schemas/snapshot.ts'

/** A world as it runs, with the means to end it. */
export interface OpenWorld {
  ports: Ports
  /** Of a kept one: what its engine tells it by, another one after a reset. */
  id?: string
  close(): Promise<void>
  /** Ends it for good: what it kept beyond the process goes too. */
  discard(): Promise<void>
  /** Puts its clock where another instance has put it. */
  moveClock?(kept: { clock: Snapshot['clock']; moves: number }): void
}

/**
 * Makes a world from its plan: with the fixtures, or as a snapshot says. With an `origin` in the place of the one that
 * began there; without it, nothing comes of it when another instance has one of this name.
 */
export type WorldOpener = (plan: WorldPlan, snapshot?: Snapshot, origin?: Origin) => Opened | Promise<Opened>
type Opened = OpenWorld | undefined

export interface Origin {
  plan: WorldPlan
  /** Milliseconds since the epoch, in real time. */
  createdAt: number
}

/** A world to begin with: a new one, or one that was kept. */
export interface FirstWorld {
  plan: WorldPlan
  world: OpenWorld
  /** What a reset opens it from; fixtures without one. */
  snapshot?: Snapshot | undefined
  /** Of a kept one: when it was made, and what its ids are a function of now. */
  kept?: { createdAt: number; seed: string | undefined }
}

/** What to know of a world that is kept beyond a process, to follow it. */
export interface KeptWorld {
  plan: WorldPlan
  /** Told by what keeps it: another one when the world is reset or restored. */
  id?: string
  clock: Snapshot['clock']
  clockMoves?: number
}
