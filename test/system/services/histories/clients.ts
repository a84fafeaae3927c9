import { setTimeout as pause } from 'node:timers/promises'
import { newTicketBody, slot } from '../../../helpers/documents/appointments.ts'
import { asTess } from '../../../helpers/documents/dealer-portal.ts'
import { type CreatedSubscription, LIGHT } from '../../../helpers/documents/events.ts'
import type { Operation } from '../../reliability/histories/linearizability.ts'
import type { PlacesCall, RegisterCall } from '../../reliability/histories/models.ts'
import type { Arrival, Emission } from '../../reliability/histories/streams.ts'
import { CONTROL_KEY } from '../installation.ts'

/** Milliseconds after which a client abandons a request, or a stream without heartbeats. */
const PATIENCE = 4000
const [PAUSE, PAUSE_AFTER_FAILURE] = [15, 100]
/** Values from this number on mark the end of the run. They are not part of the history. */
export const LAST_WORDS = 1_000_000_000

/** The requests of all clients in a run, and their results. */
export interface Recording {
  registers: Map<string, Operation<RegisterCall, string>[]>
  places: Operation<PlacesCall, boolean | number>[]
  /**
   * `booked` contains the booked tickets that no client tried to cancel. `cancelled` contains those whose cancellation
   * was confirmed.
   */
  booked: Set<string>
  cancelled: Set<string>
  emissions: Emission[]
  streams: Arrival[][]
  /** Number of responses by kind. Callers use it to wait for further responses. */
  answers: Record<'register' | 'places' | 'event', number>
  refused: string
  /** Unexpected responses that no failure can explain. */
  surprises: string[]
}

/** The instances to which clients send requests. Their URLs may change. */
export interface Site {
  urls: readonly string[]
  random: () => number
  over: AbortSignal
  recording: Recording
}

export function newRecording(): Recording {
  return {
    registers: new Map(),
    places: [],
    booked: new Set(),
    cancelled: new Set(),
    emissions: [],
    streams: [],
    answers: { register: 0, places: 0, event: 0 },
    refused: '',
    surprises: [],
  }
}

/** Returns the same sequence of numbers for the same seed (mulberry32). */
export function randomBy(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function pick<T>(random: () => number, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)]!
}

export async function useRegisters(site: Site, client: string): Promise<void> {
  const { random, recording } = site
  for (let i = 0; !site.over.aborted; i++) {
    const name = `history-${Math.floor(random() * 3)}`
    const history = recording.registers.get(name) ?? []
    recording.registers.set(name, history)
    const call: RegisterCall = random() < 0.5 ? 'read' : { write: `${client}-${i}` }
    await perform(site, client, 'register', history, call, async (url) => {
      const path = `${url}/_control/records/settings/${name}`
      if (call !== 'read') return answerOf(await send('PUT', path, { name, value: call.write }), [200], () => '')
      return answerOf(await send('GET', path), [200, 404], ({ body }) => (body['value'] as string | undefined) ?? '')
    })
    await pause(PAUSE)
  }
}

/** Books a place in the slot for one customer after another, and cancels some of the bookings. */
export async function usePlaces(site: Site, client: string, customers: string[]): Promise<void> {
  const { random, recording } = site
  const mine: string[] = []
  while (!site.over.aborted) {
    const what = random()
    if (what < 0.3) await perform(site, client, 'places', recording.places, 'look', look)
    else if (what < 0.6 && mine.length > 0) await cancel(site, client, mine.shift()!)
    else {
      const bpNo = customers.pop()
      if (bpNo !== undefined) await book(site, client, bpNo, mine)
    }
    await pause(PAUSE)
  }
}

async function book(site: Site, client: string, bpNo: string, mine: string[]): Promise<void> {
  await perform(site, client, 'places', site.recording.places, 'book', async (url) => {
    const reply = await send('POST', `${url}/stg/us/dealer/customers/ticket`, newTicketBody({ bpNo }), asTess())
    return answerOf(reply, [200, 400], ({ status, body }) => {
      if (status === 200) {
        mine.push(String(body['srid']))
        site.recording.booked.add(String(body['srid']))
      } else if (!JSON.stringify(body).includes('is fully booked')) throw new Error(JSON.stringify(body))
      return status === 200
    })
  })
}

async function cancel(site: Site, client: string, srid: string): Promise<void> {
  site.recording.booked.delete(srid)
  await perform(site, client, 'places', site.recording.places, 'cancel', async (url) => {
    const reply = await send('DELETE', `${url}/stg/us/dealer/customers/ticket/${srid}`, undefined, asTess())
    return answerOf(reply, [200, 204], () => {
      site.recording.cancelled.add(srid)
      return true
    })
  })
}

async function look(url: string) {
  const query = 'zipCode=07660&modelCode=VM-KIOSK1&ascCode=TSC001'
  const reply = await send('GET', `${url}/stg/us/dealer/schedule?${query}`, undefined, asTess())
  return answerOf(reply, [200], ({ body }) => {
    const days = body['schedules'] as { slots: { slotId: string; remaining: number }[] }[]
    return days.flatMap(({ slots }) => slots).find(({ slotId }) => slotId === slot.timeSlot)?.remaining ?? 0
  })
}

export async function publish(site: Site, from: number): Promise<void> {
  for (let value = from; !site.over.aborted; value++) {
    await emit(site, value)
    await pause(PAUSE)
  }
}

export async function emit(site: Site, value: number): Promise<void> {
  const emission: Emission = { value, invoked: performance.now(), completed: Infinity }
  site.recording.emissions.push(emission)
  const event = { capability: 'switchLevel', attribute: 'level', value, force: true }
  const reply = await send('POST', `${pick(site.random, site.urls)}/_control/devices/${LIGHT}/events`, event)
  if (typeof reply === 'string' || reply.status >= 500) {
    site.recording.refused = JSON.stringify(reply)
    return void (await pause(PAUSE_AFTER_FAILURE))
  }
  if (reply.status !== 200) site.recording.surprises.push(`an event: ${reply.status} ${JSON.stringify(reply.body)}`)
  emission.completed = performance.now()
  site.recording.answers.event++
}

export async function follow(site: Site, { registrationUrl }: CreatedSubscription): Promise<void> {
  const path = registrationUrl.replace(/^https?:\/\/[^/]+/, '')
  const arrivals: Arrival[] = []
  site.recording.streams.push(arrivals)
  let last: string | undefined
  const take = (block: string): Wish => {
    const [event, data, id] = ['event', 'data', 'id'].map((name) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1])
    if (event === 'CONTROL_EVENT' && data === 'welcome' && last === undefined) {
      arrivals.push({ kind: 'fresh', at: performance.now() })
    }
    const sequence = Number(id?.split('-')[1])
    if (id !== undefined) last = id
    if (event === 'CONTROL_EVENT' && data === 'gap') arrivals.push({ kind: 'gap', sequence })
    if (event !== 'DEVICE_EVENT') return 'more'
    const { value } = (JSON.parse(data!) as { deviceEvent: { value: number } }).deviceEvent
    if (value >= LAST_WORDS) return 'the end'
    arrivals.push({ kind: 'event', sequence, value })
    // In one of ten cases, the client closes the connection in the middle of the stream.
    return site.random() < 0.1 ? 'another connection' : 'more'
  }
  for (;;) {
    const address = pick(site.random, site.urls) + path
    const wish = await connect(address, last, take, site.recording).catch(() => 'more' as const)
    if (wish === 'the end') return
    if (wish === 'more') await pause(PAUSE_AFTER_FAILURE)
  }
}

/** The next step of a reader after a block of the stream. If a connection ends unexpectedly, the step is `more`. */
type Wish = 'more' | 'another connection' | 'the end'

/** If an instance was suspended while a request arrived, it may reject the request because it took too long. */
const STOOD_STILL = 408

async function connect(
  url: string,
  last: string | undefined,
  take: (block: string) => Wish,
  { surprises }: Recording,
): Promise<Wish> {
  const end = new AbortController()
  const timer = setTimeout(() => end.abort(), PATIENCE)
  try {
    const headers = last === undefined ? undefined : { 'last-event-id': last }
    const reply = await fetch(url, { signal: end.signal, ...(headers && { headers }) })
    // With 204 and 409, another connection of this client still occupies the stream, because the server has not yet
    // noticed the end of that connection.
    if (reply.status !== 200) {
      if (![204, STOOD_STILL, 409].includes(reply.status) && reply.status < 500)
        surprises.push(`a stream: ${reply.status}`)
      return 'more'
    }
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of reply.body!) {
      timer.refresh()
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
      rest = blocks.pop()!
      for (const block of blocks) {
        const wish = take(block)
        if (wish !== 'more') return wish
      }
    }
    return 'more'
  } finally {
    clearTimeout(timer)
    end.abort()
  }
}

interface Reply {
  status: number
  body: Record<string, unknown>
}
/** Shows whether a server may have received the request. */
type Failure = 'not sent' | 'unanswered'

async function perform<Call, Seen>(
  { urls, random, recording }: Site,
  client: string,
  kind: keyof Recording['answers'],
  history: Operation<Call, Seen>[],
  call: Call,
  run: (url: string) => Promise<{ seen: Seen } | Failure>,
): Promise<void> {
  const operation: Operation<Call, Seen> = { client, call, invoked: performance.now(), completed: Infinity }
  try {
    const answer = await run(pick(random, urls))
    if (answer !== 'not sent') history.push(operation)
    if (typeof answer === 'string') return void (await pause(PAUSE_AFTER_FAILURE))
    Object.assign(operation, { completed: performance.now(), seen: answer.seen })
    recording.answers[kind]++
  } catch (error) {
    recording.surprises.push(`${client}: ${JSON.stringify(call)}: ${String(error)}`)
  }
}

function answerOf<Seen>(
  reply: Reply | Failure,
  expected: readonly number[],
  read: (reply: Reply) => Seen,
): { seen: Seen } | Failure {
  if (typeof reply === 'string') return reply
  // This failure is allowed, but it is unknown whether the request had an effect.
  if (reply.status >= 500) return 'unanswered'
  if (!expected.includes(reply.status)) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`)
  return { seen: read(reply) }
}

async function send(
  method: string,
  url: string,
  body?: unknown,
  more: Record<string, string> = {},
): Promise<Reply | Failure> {
  try {
    const headers = { 'x-control-key': CONTROL_KEY, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const reply = await fetch(url, {
      method,
      headers: { ...headers, ...more },
      signal: AbortSignal.timeout(PATIENCE),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (reply.status === STOOD_STILL) return 'unanswered'
    return { status: reply.status, body: text.startsWith('{') ? (JSON.parse(text) as Reply['body']) : {} }
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    return code === 'ECONNREFUSED' ? 'not sent' : 'unanswered'
  }
}
