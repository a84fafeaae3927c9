import type { ToTry } from '../../../contract/records/control/status.ts'
import type { WorldClient } from '../../control-client/world-client.ts'
import type { Call } from '../calls/call.ts'
import type { Refusal } from './refusal.ts'

/** Changes are tried in a fork that nobody else sees. */
export interface Ground {
  fork: WorldClient
  /** Only people of the fixtures that still exist in the world are tried. */
  people: ToTry
}

export interface Refused {
  call: Call
  refusal: Refusal
}

/** The call behind this one may need a value of its answer. */
export interface Before {
  call: Call
  told: string
  /** Has names in the place of secrets that the fixtures do not publish. */
  shown?: Call
  /** Puts a value of the answer into the call; `name` stands for it where the call is shown. */
  read?: { name: string; from: (body: unknown) => string | undefined; into: (call: Call, value: string) => Call }
}

export interface Change {
  call: Call
  /** The agent reads it as a part of a sentence, such as `the body is sent as JSON`. */
  told: string
  first?: Before
  /** The fork's clock moves by this; in the world itself the agent moves the clock, or waits. */
  wait?: string
}

/** A mender gives no change for a refusal that it does not know. */
export type Mender = (ground: Ground, refused: Refused) => Promise<Change[]> | Change[]
