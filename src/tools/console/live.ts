import { useEffect, useRef, useState } from 'preact/hooks'
import type { ClockState as Clock, Page, StreamDescription as Stream } from '../client/types.ts'
import type { CollectionName, RecordOf } from '#contract/records/collections.ts'
import type { ControlOperation } from '#contract/control/routes.ts'
import type { JournalEntry as Entry } from '#contract/records/control/journal.ts'
import type { Input, Reply } from '#contract/control/calls.ts'
import type { Paging } from '../client/inputs.ts'
import type { EventEnvelope as PlatformEvent } from '#contract/records/events/platform-event.ts'
import { ControlError } from '../client/errors.ts'
import { api } from './address.ts'

export type Connection = 'connecting' | 'live' | 'polling' | 'lost' | 'refused' | 'gone'

/** An event that is scheduled on the world's clock, or has already happened. */
export interface Coming {
  at: number
  what: string
  href: string
  kind: string
  /** Number of events in this row, such as renewals. */
  number: number
}

interface Done {
  text?: string
  href?: string | undefined
  error?: ControlError
}

export interface Live {
  connection: Connection
  /** The reason for the connection `refused`. */
  refusal?: ControlError
  clock: (Clock & { readAt: number }) | undefined
  /** The events in the period that this page last skipped by moving the clock. */
  passed: readonly Coming[]
  done: Done | undefined
  entries: readonly Entry[]
  events: readonly (PlatformEvent & { number: number })[]
  streams: readonly Stream[]
  testStream: { lines: readonly string[]; end(): Promise<void> } | undefined
  outboxCount: number | undefined
  file: File | undefined
  /** Operation or path of the request that was opened last. */
  operation: string | undefined
  /** Increased to make all views load their data again. */
  revision: number
}

const MOST_ENTRIES = 200
const MOST_EVENTS = 300
/** Minimum milliseconds between two reloads of the views, however many changes occur. */
const CALM = 400

let state: Live = {
  connection: 'connecting',
  clock: undefined,
  passed: [],
  done: undefined,
  entries: [],
  events: [],
  streams: [],
  testStream: undefined,
  outboxCount: undefined,
  file: undefined,
  operation: undefined,
  revision: 0,
}
const listeners = new Set<() => void>()
let eventCount = 0
let pending: ReturnType<typeof setTimeout> | undefined

export function useLive<T>(select: (live: Live) => T): T {
  const [, setSeen] = useState<T>(select(state))
  useEffect(() => {
    const listener = () => setSeen(() => select(state))
    listeners.add(listener)
    listener()
    return () => void listeners.delete(listener)
  }, [])
  return select(state)
}

export function change(part: Partial<Live>): void {
  state = { ...state, ...part }
  for (const listener of listeners) listener()
}

/** The newest entry is first. Entries that are already known are skipped. */
export function addEntries(entries: readonly Entry[]): void {
  const newest = state.entries[0]?.id ?? 0
  const fresh = entries.filter(({ id }) => id > newest)
  if (fresh.length > 0) change({ entries: [...fresh, ...state.entries].slice(0, MOST_ENTRIES) })
}

export function addEvent(event: PlatformEvent): void {
  const numbered = { ...event, number: ++eventCount }
  change({ events: [numbered, ...state.events].slice(0, MOST_EVENTS) })
}

export function setClock(clock: Clock): void {
  change({ clock: { ...clock, readAt: pageTime() } })
}

export function readLive(): Live {
  return state
}

export function say(text: string, href?: string): void {
  change({ done: { text, href } })
}

/** Shows why an action failed, or what it did. The views then load again. */
export async function report(work: Promise<unknown>, done?: string, href?: string): Promise<void> {
  if (state.done?.error) change({ done: undefined })
  try {
    await work
    if (done !== undefined) say(done, href)
  } catch (error) {
    change({ done: { error: toControlError(error) } })
  }
  touchNow()
}

/** Combines several changes into one reload, after a short delay. */
export function touch(): void {
  if (pending !== undefined) return
  pending = setTimeout(() => {
    pending = undefined
    change({ revision: state.revision + 1 })
  }, CALM)
}

/** The user is waiting for the result of an action, so views load immediately. */
function touchNow(): void {
  change({ revision: state.revision + 1 })
}

/** Calculates a running clock's current time from the last message, in milliseconds since the epoch. */
export function worldNow(clock: Live['clock']): number | undefined {
  if (!clock) return undefined
  return Date.parse(clock.now) + (clock.frozen ? 0 : pageTime() - clock.readAt)
}

/** Unlike the system clock, the time since the page was opened never jumps. */
function pageTime(): number {
  return Number(document.timeline.currentTime ?? 0)
}

export interface Loaded<T> {
  data: T | undefined
  error: ControlError | undefined
  /** True if the data belongs to an earlier input and the data for the current input is still loading. */
  isStale?: boolean
}

export function loaded<T>(items: readonly T[]): Loaded<{ items: readonly T[] }> {
  return { data: { items }, error: undefined }
}

/** With the same input, the previous response is shown until the new one arrives. */
export function useLoad<Name extends ControlOperation>(name: Name, input: Input<Name>): Loaded<Reply<Name>> {
  return useAnswer(`${name} ${JSON.stringify(input)}`, () => api.call(name, input), { keep: true })
}

export function useRecords<Name extends CollectionName>(name: Name, page: Paging = { limit: 100 }) {
  const load = () => api.records.list<RecordOf<Name>>(name, { ...page })
  return useAnswer(`${name} ${JSON.stringify(page)}`, load, { keep: true })
}

/** With `keep`, the response for the previous `about` stays until the next arrives. `once` ignores changes. */
export function useAnswer<T>(
  about: string | undefined,
  load: () => Promise<T>,
  { keep = false, once = false }: { keep?: boolean; once?: boolean } = {},
): Loaded<T> {
  const revision = useLive((live) => live.revision)
  const [loaded, setLoaded] = useState<Loaded<T> & { about: string | undefined }>({ ...nothing, about })
  const asked = useRef({ about, last: 0, shown: 0 })
  useEffect(() => {
    asked.current.about = about
    if (about === undefined) return
    const number = ++asked.current.last
    // Several requests may be pending. A response is shown unless the response to a later request has arrived.
    const show = (answer: Loaded<T>) => {
      if (asked.current.about !== about || number < asked.current.shown) return
      asked.current.shown = number
      setLoaded({ ...answer, about })
    }
    load().then(
      (data) => show({ data, error: undefined }),
      (thrown: unknown) => {
        const error = toControlError(thrown)
        // The page shows elsewhere that the server is unreachable. A server that is shutting down responds with 503.
        if (error.status !== 0 && error.status !== 503) show({ data: undefined, error })
      },
    )
  }, [about, once ? 0 : revision])
  if (loaded.about === about) return loaded
  return keep ? { ...loaded, isStale: loaded.data !== undefined } : nothing
}

const nothing = { data: undefined, error: undefined }

/** Reads at most `most` entries. `totalCount` is the number of all entries. */
export async function readAll<T>(read: (page: Required<Paging>) => Promise<Page<T>>, most = 1000): Promise<Page<T>> {
  const items: T[] = []
  for (;;) {
    const page = await read({ limit: 100, offset: items.length })
    items.push(...page.items)
    if (page.items.length === 0 || items.length >= Math.min(most, page.totalCount)) return { ...page, items }
  }
}

/** Milliseconds after the last key press until a search starts. */
const TYPING = 200

export function useSettled(text: string): string {
  const [settled, settle] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => settle(text), TYPING)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

interface Act {
  busy: boolean
  error: ControlError | undefined
  run(work: () => Promise<unknown>): Promise<boolean>
}

const ready = { busy: false, error: undefined }

/** The views load again after the action. */
export function useAct(): Act {
  const [state, setState] = useState<Pick<Act, 'busy' | 'error'>>(ready)
  const running = useRef(false)
  const isLive = useLive((live) => live.connection === 'live')
  useEffect(() => {
    // The server can be reached again, so the error no longer applies.
    if (isLive) setState((known) => (known.error?.status === 0 ? ready : known))
  }, [isLive])
  const done = useLive((live) => live.done)
  useEffect(() => {
    // A later action succeeded, so the error is out of date.
    if (done?.text !== undefined) setState((known) => (known.error ? ready : known))
  }, [done])
  return {
    ...state,
    async run(work) {
      if (running.current) return false
      running.current = true
      setState({ ...ready, busy: true })
      try {
        await work()
        setState(ready)
        return true
      } catch (error) {
        setState({ ...ready, error: toControlError(error) })
        // The message is about an earlier action.
        change({ done: undefined })
        return false
      } finally {
        running.current = false
        touchNow()
      }
    },
  }
}

/** Returns the world's time in milliseconds since the epoch, and renders again while the clock runs. */
export function useWorldNow(every = 1000): number | undefined {
  const clock = useLive((live) => live.clock)
  const [, tick] = useState(0)
  useEffect(() => {
    if (!clock || clock.frozen) return
    const timer = setInterval(() => tick((count) => count + 1), every)
    return () => clearInterval(timer)
  }, [clock, every])
  return worldNow(clock)
}

export function succeeds(call: Promise<unknown>): Promise<boolean> {
  return call.then(
    () => true,
    () => false,
  )
}

function toControlError(error: unknown): ControlError {
  return error instanceof ControlError ? error : new ControlError(400, 'Unknown', (error as Error).message)
}
