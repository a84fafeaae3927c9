import { useEffect, useRef, useState } from 'preact/hooks'
import { ControlError } from '../client/errors.ts'
import { api } from './address.ts'
import { touchNow, useLive, worldNow } from './live.ts'
import type { CollectionName, ControlOperation, Input, Page, Paging, RecordOf, Reply } from './types.ts'

export interface Loaded<T> {
  data: T | undefined
  error: ControlError | undefined
  /** The data is of an earlier input, and the one for this input is on its way. */
  isStale?: boolean
}

/** For lists of what is known already. */
export function loaded<T>(items: readonly T[]): Loaded<{ items: readonly T[] }> {
  return { data: { items }, error: undefined }
}

/** Loads again after each change. The known answer stays until there is one for the new input. */
export function useLoad<Name extends ControlOperation>(name: Name, input: Input<Name>): Loaded<Reply<Name>> {
  return useAnswer(`${name} ${JSON.stringify(input)}`, () => api.call(name, input), { keep: true })
}

export function useRecords<Name extends CollectionName>(name: Name, page: Paging = { limit: 100 }) {
  const load = () => api.records.list<RecordOf<Name>>(name, { ...page })
  return useAnswer(`${name} ${JSON.stringify(page)}`, load, { keep: true })
}

/**
 * Loads again when `about` or the world changes. Without a server the known answer stays; `keep` also keeps it until
 * the next one arrives; `once` ignores changes of the world.
 */
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
    // Under traffic the next answer is requested before this one arrives, so an answer counts unless a later one was
    // faster.
    const show = (answer: Loaded<T>) => {
      if (asked.current.about !== about || number < asked.current.shown) return
      asked.current.shown = number
      setLoaded({ ...answer, about })
    }
    load().then(
      (data) => show({ data, error: undefined }),
      (thrown: unknown) => {
        const error = toControlError(thrown)
        // The page itself reports an unreachable server, and a closing server responds with 503.
        if (error.status !== 0 && error.status !== 503) show({ data: undefined, error })
      },
    )
  }, [about, once ? 0 : revision])
  if (loaded.about === about) return loaded
  return keep ? { ...loaded, isStale: loaded.data !== undefined } : nothing
}

const nothing = { data: undefined, error: undefined }

/** Reads at most `most` entries, while `totalCount` counts them all. */
export async function readAll<T>(read: (page: Required<Paging>) => Promise<Page<T>>, most = 1000): Promise<Page<T>> {
  const items: T[] = []
  for (;;) {
    const page = await read({ limit: 100, offset: items.length })
    items.push(...page.items)
    if (page.items.length === 0 || items.length >= Math.min(most, page.totalCount)) return { ...page, items }
  }
}

/** Milliseconds after the last key until a search begins. */
const TYPING = 200

export function useSettled(text: string): string {
  const [settled, settle] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => settle(text), TYPING)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

export interface Act {
  busy: boolean
  error: ControlError | undefined
  run(work: () => Promise<unknown>): Promise<boolean>
  forget(): void
}

const ready = { busy: false, error: undefined }

/** Views load again after the act. */
export function useAct(): Act {
  const [state, setState] = useState<Pick<Act, 'busy' | 'error'>>(ready)
  const running = useRef(false)
  const isLive = useLive((live) => live.connection === 'live')
  useEffect(() => {
    // The server responds again, so the error is over.
    if (isLive) setState((known) => (known.error?.status === 0 ? ready : known))
  }, [isLive])
  return {
    ...state,
    forget: () => setState(ready),
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
        return false
      } finally {
        running.current = false
        touchNow()
      }
    },
  }
}

/** Redraws while the clock runs. Milliseconds since the epoch. */
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

/** Whether the call was answered without an error. */
export function succeeds(call: Promise<unknown>): Promise<boolean> {
  return call.then(
    () => true,
    () => false,
  )
}

function toControlError(error: unknown): ControlError {
  return error instanceof ControlError ? error : new ControlError(400, 'Unknown', (error as Error).message)
}
