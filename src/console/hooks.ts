import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, get } from './api.ts'
import { touchNow, useLive, worldNow } from './live.ts'

export interface Loaded<T> {
  data: T | undefined
  error: ApiError | undefined
}

/** What a path answers, loaded again when something has happened; what is shown stays until the new answer is there. */
export function useLoad<T>(path: string | undefined): Loaded<T> {
  return useAnswer(path, () => get<T>(path!))
}

/**
 * What `load` answers, loaded again when `about` changes or something has happened. While the server cannot be reached
 * what is known stays; with `keep`, it stays until the answer about something else is there.
 */
export function useAnswer<T>(
  about: string | undefined,
  load: () => Promise<T>,
  { keep = false }: { keep?: boolean } = {},
): Loaded<T> {
  const revision = useLive((live) => live.revision)
  const [loaded, setLoaded] = useState<Loaded<T> & { about: string | undefined }>({ ...nothing, about })
  useEffect(() => {
    if (about === undefined) return
    let over = false
    load().then(
      (data) => over || setLoaded({ data, error: undefined, about }),
      (thrown: unknown) => {
        const error = toApiError(thrown)
        // The page says once that nobody answers.
        if (!over && error.status !== 0) setLoaded({ data: undefined, error, about })
      },
    )
    return () => {
      over = true
    }
  }, [about, revision])
  return keep || loaded.about === about ? loaded : nothing
}

const nothing = { data: undefined, error: undefined }

export interface Act {
  busy: boolean
  error: ApiError | undefined
  /** Whether the last one has succeeded. */
  done: boolean
  run(work: () => Promise<unknown>): Promise<boolean>
  /** What went wrong is of no interest any more. */
  forget(): void
}

/** Something the person at the page does; views load again after it. */
export function useAct(): Act {
  const [state, setState] = useState<{ busy: boolean; error: ApiError | undefined; done: boolean }>({
    busy: false,
    error: undefined,
    done: false,
  })
  const running = useRef(false)
  const isLive = useLive((live) => live.connection === 'live')
  return {
    ...state,
    // Its cause is gone.
    error: isLive && state.error?.status === 0 ? undefined : state.error,
    forget: () => setState({ busy: false, error: undefined, done: false }),
    async run(work) {
      if (running.current) return false
      running.current = true
      setState({ busy: true, error: undefined, done: false })
      try {
        await work()
        setState({ busy: false, error: undefined, done: true })
        return true
      } catch (error) {
        setState({ busy: false, error: toApiError(error), done: false })
        return false
      } finally {
        running.current = false
        touchNow()
      }
    },
  }
}

/** The world's time, in milliseconds since the epoch, drawn anew every so many milliseconds while it runs. */
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

function toApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, error instanceof Error ? error.message : String(error))
}
