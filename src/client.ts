import type { ClockAdvance } from './schemas/control/clock.ts'
import type { DeviceChange } from './schemas/events/device-change.ts'
import type { Fault, FaultDraft } from './schemas/control/fault.ts'
import type { JournalEntry, JournalMatch } from './schemas/control/journal.ts'
import type { OutboxMessage } from './schemas/control/outbox-message.ts'
import type { DeviceEvent } from './schemas/events/platform-event.ts'

export type { DeviceChange, DeviceEvent, Fault, FaultDraft, JournalEntry, JournalMatch, OutboxMessage }

export interface ClockState {
  /** ISO 8601. */
  now: string
  frozen: boolean
  /** World time minus real time, in milliseconds; 0 while the clock stands. */
  offsetMs: number
}

export interface ClockMove extends ClockState {
  /** How many things fell due on the way. */
  due: number
  /** The first 100 of them, in their order. */
  fellDue: { at: string; what: string }[]
}

export interface WorldOptions {
  name?: string
  seed?: string
  /** The world to fork, in the place of fixtures; not beside seed or now. */
  from?: string
  /** Where its clock starts. */
  now?: string | Date
  /** Whether its clock stands at first. */
  frozen?: boolean
  /** Seconds of real time it lives. */
  expiresIn?: number
  /** Milliseconds that its event streams ask cut-off clients to wait, 0 to 60000. */
  streamRetryMs?: number
}

export interface Verdict {
  matched: boolean
  count: number
  entries: JournalEntry[]
  /** When nothing fits: what comes nearest. */
  nearest: JournalEntry[]
}

export interface Expectation {
  count?: number
  atLeast?: number
  /** Waits up to so many milliseconds of real time. */
  withinMs?: number
}

/** One world of a running server, and what can be done to it. */
export interface VendorCloudWorld {
  /** Where its paths begin; give this to the client under test. */
  url: string
  clock: {
    read(): Promise<ClockState>
    /** Forward by an ISO 8601 duration or milliseconds; what falls due has happened when it resolves. */
    advance(duration: ClockAdvance['duration']): Promise<ClockMove>
    /** Any time: ISO 8601 or a Date. */
    set(now: string | Date): Promise<ClockMove>
    freeze(now?: string | Date): Promise<ClockMove>
    unfreeze(): Promise<ClockMove>
    reset(): Promise<ClockMove>
  }
  events: { emit(deviceId: string, change: DeviceChange): Promise<DeviceEvent> }
  faults: { add(fault: FaultDraft): Promise<Fault>; clear(): Promise<void> }
  /** Whether the journal holds what is expected: at least one entry that fits, unless told otherwise. */
  verify(match: JournalMatch, expectation?: Expectation): Promise<Verdict>
  journal(
    query?: Pick<JournalMatch, 'operation' | 'method' | 'path' | 'status'> & { limit?: number },
  ): Promise<JournalEntry[]>
  /** E-mails and SMS that would have been sent, newest first. */
  outbox(): Promise<OutboxMessage[]>
  snapshot(): Promise<string>
  restore(snapshot: string): Promise<void>
  reset(): Promise<void>
  /** A world of its own: records, clock, ids, faults, journal, outbox and streams. */
  world(options?: string | WorldOptions): Promise<VendorCloudWorld>
  /** Ends a world that `world` made. */
  delete(): Promise<void>
  /** Any call of the control API, by its path after `/_control/`. */
  control<T = unknown>(method: string, path: string, body?: unknown): Promise<T>
}

/** A call that the server refused; `status` and `code` are the answer's. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

let made = 0

export function createControl(origin: string, key: string | undefined, name?: string): VendorCloudWorld {
  const url = name === undefined ? origin : `${origin}/w/${name}`
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { 'x-control-key': key }) }

  async function send(method: string, path: string, body?: string): Promise<string> {
    const reply = await fetch(`${url}/_control/${path}`, { method, headers, ...(body !== undefined && { body }) })
    const text = await reply.text()
    if (reply.ok) return text
    throw toError(reply.status, text)
  }
  async function control<T>(method: string, path: string, body?: unknown): Promise<T> {
    const text = await send(method, path, body === undefined ? undefined : JSON.stringify(body))
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  const moveClock = (method: string, path: string, body?: object) => control<ClockMove>(method, path, body)

  return {
    url,
    clock: {
      read: () => control('GET', 'clock'),
      advance: (duration) => moveClock('POST', 'clock/advance', { duration }),
      set: (now) => moveClock('PUT', 'clock', { now }),
      freeze: (now) => moveClock('PUT', 'clock', { frozen: true, now }),
      unfreeze: () => moveClock('PUT', 'clock', { frozen: false }),
      reset: () => moveClock('DELETE', 'clock'),
    },
    events: { emit: (deviceId, change) => control('POST', `devices/${encodeURIComponent(deviceId)}/events`, change) },
    faults: { add: (fault) => control('POST', 'faults', fault), clear: () => control('DELETE', 'faults') },
    verify: (match, expectation = {}) => control('POST', 'journal/verify', { match, ...expectation }),
    journal: async (query = {}) => {
      const given = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
      return (await control<{ entries: JournalEntry[] }>('GET', `journal?${new URLSearchParams(given)}`)).entries
    },
    outbox: async () => (await control<{ items: OutboxMessage[] }>('GET', 'outbox?limit=100')).items,
    snapshot: () => send('GET', 'snapshot'),
    restore: async (snapshot) => void (await send('PUT', 'snapshot', snapshot)),
    reset: () => control('POST', 'reset'),
    async world(options = {}) {
      const plan = typeof options === 'string' ? { name: options } : { name: newName(), ...options }
      await control('POST', 'worlds', plan)
      return createControl(origin, key, plan.name)
    },
    delete: () => control('DELETE', `worlds/${name ?? 'default'}`),
    control,
  }
}

/** Another one in each process too, so that tests that share a server never meet. */
function newName(): string {
  return `w-${process.pid}-${process.hrtime.bigint().toString(36)}-${++made}`
}

function toError(status: number, text: string): ControlError {
  try {
    const { error } = JSON.parse(text) as { error: { code: string; message: string } }
    return new ControlError(status, error.code, error.message)
  } catch {
    return new ControlError(status, 'Unknown', text.slice(0, 500))
  }
}
