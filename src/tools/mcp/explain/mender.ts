import type { ToTry } from '../../../contract/records/control/status.ts'
import type { WorldClient } from '../../control-client/world-client.ts'
import type { Call } from '../calls/call.ts'
import type { Refusal } from './refusal.ts'

/** The ground on which changes of a call are looked for and tried: a fork, which nobody else sees. */
export interface Ground {
  fork: WorldClient
  /** Names of the fixtures that are in the world. */
  people: ToTry
}

/** A refused call, or one that has been changed and is still refused. */
export interface Refused {
  call: Call
  refusal: Refusal
}

/** A call that has to come first; what it answers may stand in the call behind it. */
export interface Before {
  call: Call
  told: string
  /** Puts the value that it is answered into the call; `name` stands for that value where the call is shown. */
  read?: { name: string; from: (body: unknown) => string | undefined; into: (call: Call, value: string) => Call }
}

/** A call that is nearer to one that passes. */
export interface Change {
  call: Call
  /** The change in it, as a part of a sentence. */
  told: string
  first?: Before
  /** Moves the clock of the fork; whoever makes the call moves his world's, or waits. */
  wait?: string
}

/** Finds changes for some refusals, the nearest first; none for others. */
export type Mender = (ground: Ground, refused: Refused) => Promise<Change[]> | Change[]
