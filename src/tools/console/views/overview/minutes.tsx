import { useRef } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { count, toMinute, toneOf } from '#tools/console/text.ts'
import type { JournalEntry as Entry } from '#contract/records/control/journal.ts'

const MINUTE = 60_000
const MINUTES = 60
/** Requests of the hour that are read, the newest. */
const MOST = 1000
const PAGE = 100

type Received = Pick<Entry, 'id' | 'at' | 'status'>

/** Reads what the journal has received in the last hour. Each entry is read once. */
export function useLastHour(): (now: number) => Promise<readonly Received[]> {
  const known = useRef<readonly Received[]>([])
  return async (now) => {
    const since = new Date(now - MINUTES * MINUTE).toISOString()
    const read: Entry[] = []
    // Another call may change what is known while this one reads.
    let earlier = known.current
    for (;;) {
      const query = { kind: 'request', since, limit: PAGE, before: read.at(-1)?.id } as const
      const { entries } = await api.call('listJournal', { query })
      read.push(...entries)
      // IDs start again when the world is replaced.
      if ((read[0]?.id ?? 0) < (earlier[0]?.id ?? 0)) earlier = []
      if (entries.length < PAGE || read.length >= MOST || read.at(-1)!.id <= (earlier[0]?.id ?? 0)) break
    }
    const newest = earlier[0]?.id ?? 0
    const fresh = read.filter(({ id }) => id > newest).map(({ id, at, status }) => ({ id, at, status }))
    const all = [...fresh, ...earlier].filter(({ at }) => at >= since).slice(0, MOST)
    // A request that waits for its response is read again.
    const waiting = all.findLast(({ at, status }) => status === undefined && Date.parse(at) > now - MINUTE)
    known.current = waiting ? all.filter(({ id }) => id < waiting.id) : all
    return all
  }
}

const classes = [
  ['good', 'success'],
  ['warn', '4xx'],
  ['bad', '5xx or no response'],
] as const

/** Bars of the last 60 minutes, stacked by the class of the status. */
export function Minutes({ requests, now }: { requests: readonly Received[]; now: number }) {
  const minutes = Array.from({ length: MINUTES }, (_, i) => {
    const age = MINUTES - 1 - i
    const own = requests.filter(({ at }) => Math.floor((now - Date.parse(at)) / MINUTE) === age)
    return {
      at: now - age * MINUTE,
      counts: classes.map(([tone]) => own.filter((each) => toneOf(each.status) === tone).length),
    }
  })
  const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)
  const most = Math.max(1, ...minutes.map(({ counts }) => sum(counts)))
  const totals = classes.map(([, name], i) => `${sum(minutes.map(({ counts }) => counts[i]!))} ${name}`).join(', ')
  return (
    <section class="panel" aria-label="Requests per minute">
      <div class="title-row">
        <h2>Requests per minute</h2>
        <p class="legend">
          {classes.map(([tone, name]) => (
            <span key={tone} class={tone}>
              {name}
            </span>
          ))}
        </p>
      </div>
      <svg
        class="minutes"
        role="img"
        aria-label={`Last hour: ${totals}, at most ${count(most, 'request')} in a minute`}
      >
        {minutes.map(({ at, counts }, i) => (
          <g key={i}>
            <title>{`${toMinute(at)}: ${classes.map(([, name], j) => `${counts[j]} ${name}`).join(', ')}`}</title>
            {classes.map(([tone], j) => {
              const height = (100 * counts[j]!) / most
              const y = 100 - height - (100 * sum(counts.slice(0, j))) / most
              return (
                <rect
                  key={tone}
                  class={tone}
                  x={`${(100 * i) / MINUTES}%`}
                  y={`${y}%`}
                  width="1.4%"
                  height={`${height}%`}
                />
              )
            })}
          </g>
        ))}
      </svg>
      <p class="title-row hint">
        <span>60 minutes ago</span>
        <span>at most {count(most, 'request')} per minute</span>
        <span>now</span>
      </p>
    </section>
  )
}
