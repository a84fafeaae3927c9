import { toText } from './calls.ts'
import type { WorldOptions } from './inputs.ts'
import type { ControlOptions } from './options.ts'
import { createOwnCalls } from './own-calls.ts'
import { Transport } from './transport.ts'
import type { VendorCloudWorld } from './world.ts'

// The library, the command line and the console share this client, so it must not import anything from Node.

export interface WorldClient extends VendorCloudWorld {
  call: Transport['call']
}

/** `origin` is the URL of the server without a trailing slash. */
export function createWorldClient(origin: string, options: ControlOptions = {}): WorldClient {
  const { world: from = 'default', keeper } = options
  const transport = new Transport(origin, options)
  const world = async (plan: string | WorldOptions = {}): Promise<VendorCloudWorld> => {
    const { record, now, at, ...given } = typeof plan === 'string' ? { name: plan } : plan
    const name = given.name ?? newName()
    const { expiresIn = keeper?.expiresIn } = given
    await transport.call('createWorld', {
      body: { ...given, name, expiresIn, now: toText(now), ...(at !== undefined && { at: toHistoryPoint(at) }) },
    })
    await keeper?.made(name)
    const made = createWorldClient(origin, { ...options, world: name })
    if (record) await made.recording.start()
    return made
  }
  return {
    ...createOwnCalls(transport, options),
    call: (name, input) => transport.call(name, input),
    world,
    rewind: async (at, plan = {}) => world({ ...plan, from, at: toHistoryPoint(at) }),
  }
}

/** Names are random, so that tests in several processes can share a server. */
function newName(): string {
  return `w-${crypto.randomUUID()}`
}

/** An invalid Date would become null in JSON, which means the current state, so it is rejected. */
function toHistoryPoint(at: unknown): number | string {
  const isDate = at instanceof Date && !Number.isNaN(at.getTime())
  const moment = isDate ? at.toISOString() : at
  if (typeof moment === 'number' ? Number.isFinite(moment) : typeof moment === 'string' && moment !== '') {
    return moment as number | string
  }
  const given = typeof at === 'string' ? '""' : String(at)
  throw new TypeError(`at is ${given}. It must be a step number, an ISO 8601 timestamp or a Date`)
}
