import { useEffect, useState } from 'preact/hooks'
import type { Clock, Entry, PlatformEvent, Stream } from './types.ts'

export type Connection = 'connecting' | 'live' | 'polling' | 'lost' | 'refused' | 'gone'

/** Something that is due by the world's clock, or was. */
export interface Coming {
  at: number
  what: string
  href: string
  kind: string
}

export interface Live {
  connection: Connection
  clock: (Clock & { readAt: number }) | undefined
  /** What this page's last move of the clock passed. */
  passed: readonly Coming[]
  done: { text: string; href: string | undefined } | undefined
  entries: readonly Entry[]
  events: readonly (PlatformEvent & { number: number })[]
  streams: readonly Stream[]
  outboxCount: number | undefined
  file: File | undefined
  /** A larger number makes views load again. */
  revision: number
}

const MOST_ENTRIES = 200
const MOST_EVENTS = 300
/** However much happens, views load no more often than this. */
const CALM = 400

let state: Live = {
  connection: 'connecting',
  clock: undefined,
  passed: [],
  done: undefined,
  entries: [],
  events: [],
  streams: [],
  outboxCount: undefined,
  file: undefined,
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

/** Entries come newest first; known ones are skipped. */
export function addEntries(entries: readonly Entry[]): void {
  const newest = state.entries[0]?.id ?? 0
  const fresh = entries.filter(({ id }) => id > newest)
  if (fresh.length > 0) change({ entries: [...fresh, ...state.entries].slice(0, MOST_ENTRIES) })
}

/** The journal was emptied, or belongs to another world now. */
export function forgetEntries(): void {
  change({ entries: [] })
}

export function addEvent(event: PlatformEvent): void {
  const numbered = { ...event, number: ++eventCount }
  change({ events: [numbered, ...state.events].slice(0, MOST_EVENTS) })
}

export function setClock(clock: Clock): void {
  change({ clock: { ...clock, readAt: pageTime() } })
}

export function readClock(): Live['clock'] {
  return state.clock
}

/** Shows what an action did, with a link to its result. */
export function say(text: string, href?: string): void {
  change({ done: { text, href } })
}

/** Several changes cause one reload, soon. */
export function touch(): void {
  if (pending !== undefined) return
  pending = setTimeout(() => {
    pending = undefined
    change({ revision: state.revision + 1 })
  }, CALM)
}

/** A user at the page waits for the result of an action, so views load immediately. */
export function touchNow(): void {
  change({ revision: state.revision + 1 })
}

/** Computes the running time between two messages. Milliseconds since the epoch. */
export function worldNow(clock: Live['clock']): number | undefined {
  if (!clock) return undefined
  return Date.parse(clock.now) + (clock.frozen ? 0 : pageTime() - clock.readAt)
}

/** Unlike the computer's clock, time since the page was opened never jumps. */
function pageTime(): number {
  return Number(document.timeline.currentTime ?? 0)
}
