import { api } from '#tools/console/address.ts'
import { succeeds, useAnswer, useLive, useWorldNow } from '#tools/console/live.ts'
import { Badge, Loading, Refusal } from '#tools/console/parts/basics.tsx'
import { linkTo } from '#tools/console/route.ts'
import { count, toMinute, toneOf, toSpan } from '#tools/console/text.ts'
import { ComingUp } from '../worlds/clock.tsx'
import { useComing } from '#tools/console/upcoming.ts'
import { EventList } from '../devices/event-tail.tsx'
import { NewestRequests } from '../requests/request-list.tsx'
import { useRef } from 'preact/hooks'
import type { JournalEntry as Entry } from '#contract/records/control/journal.ts'

const MINUTE = 60_000
/** Milliseconds between two counts. The counts for the last minute become outdated even without new requests. */
const RECOUNT = 5000
const MAX_ROWS = 8

export function Overview() {
  const status = useAnswer('status', api.status)
  const health = useAnswer('health', () => succeeds(api.ready()))
  const { entries, events, streams, outboxCount } = useLive((live) => live)
  const now = useWorldNow(1000) ?? 0
  const minute = now === 0 ? undefined : `minute ${Math.floor(now / RECOUNT)}`
  const readLastHour = useLastHour()
  const recent = useAnswer(minute, () => readLastHour(now), { keep: true })
  const lastMinute = recent.data?.filter(({ at }) => Date.parse(at) >= now - MINUTE)
  const rejected = lastMinute?.filter(({ status = 0 }) => status >= 400).length
  const coming = useComing()
  const ahead = coming.data?.coming.filter(({ at }) => at > now)
  const next = ahead?.find(({ kind }) => kind === 'renewal')
  const visits = ahead && count(ahead.filter(({ kind }) => kind === 'visit passed').length, 'visit')
  const { counts } = status.data ?? {}
  const counted = (name: string) => (counts ? (counts[name] ?? 0) : '–')
  const open = useAnswer('open', countOpen)
  const asked = useAnswer('asked', () => api.call('listJournal', { query: { kind: 'request', limit: 1 } }), {
    once: true,
  })
  if (!asked.data && !asked.error) return <Loading />
  // The welcome text stays until the view is opened again, so that the first request does not move anything.
  const isNew = asked.data?.totalCount === 0
  return (
    <section>
      <div class="title-row">
        <h1>Overview</h1>
        <span>
          {health.data === undefined ? null : (
            <Badge tone={health.data ? 'good' : 'bad'}>{health.data ? 'ready' : 'not ready'}</Badge>
          )}{' '}
          <span class="hint">{status.data ? `vendor-cloud ${status.data.version}` : ''}</span>
        </span>
      </div>
      <Refusal error={status.error ?? health.error} />
      {isNew ? <Tour /> : null}
      <div class="figures">
        <Figure
          title="Requests a minute"
          value={lastMinute?.length ?? '–'}
          note={`${rejected ?? '–'} rejected${lastMinute?.length === MOST ? ' of the newest' : ''}`}
          to="requests"
        />
        <Figure
          title="Customers"
          value={counted('customers')}
          note={counts ? count(counts['registeredProducts'] ?? 0, 'product') : ''}
          to="data/customers"
        />
        <Figure
          title="Open tickets"
          value={open.data ?? '–'}
          note={visits ? `${coming.data?.unread.length ? 'at least ' : ''}${visits} ahead` : ''}
          to="tickets"
        />
        <Figure title="Devices" value={counted('devices')} note={count(streams.length, 'live stream')} to="devices" />
        <Figure
          title="Next renewal"
          value={next ? toSpan(next.at - now) : coming.data ? 'none' : '–'}
          note={next?.what.replace(' renews', '') ?? (counts ? count(counts['purchases'] ?? 0, 'purchase') : '')}
          to={next?.href.slice(2) ?? 'billing'}
        />
        <Figure title="Outbox" value={outboxCount ?? 0} note={outboxCount === 1 ? 'message' : 'messages'} to="mail" />
      </div>
      <Minutes requests={recent.data ?? []} now={now} />
      <div class="columns even">
        <section class="panel newest" aria-label="Newest requests">
          <div class="title-row">
            <h2>Newest requests</h2>
            <a href={linkTo('requests')}>All</a>
          </div>
          <NewestRequests entries={entries.slice(0, MAX_ROWS)} />
        </section>
        {events.length === 0 ? (
          <ComingUp now={now} size={MAX_ROWS} of={coming} />
        ) : (
          <section class="panel newest" aria-label="Newest device events">
            <div class="title-row">
              <h2>Newest device events</h2>
              <a href={linkTo('devices')}>Devices</a>
            </div>
            <EventList events={events.slice(0, MAX_ROWS)} />
          </section>
        )}
      </div>
      {isNew ? null : <Tour />}
    </section>
  )
}

async function countOpen(): Promise<number> {
  const counts = await Promise.all(
    ['tickets', 'inStoreRequests'].flatMap((name) =>
      ['E0001', 'E0002'].map(async (status) => (await api.records.list(name, { status, limit: 1 })).totalCount),
    ),
  )
  return counts.reduce((sum, each) => sum + each, 0)
}

function Figure({ title, value, note, to }: { title: string; value: string | number; note: string; to: string }) {
  return (
    <a class="figure" href={`#/${to}`}>
      <span>{title}</span>
      <strong>{typeof value === 'number' ? value.toLocaleString('en-US') : value}</strong>
      <small>{note}</small>
    </a>
  )
}

function Tour() {
  return (
    <section class="panel" aria-label="First steps">
      <h2>First steps</h2>
      <ol class="tour">
        <li>
          <a href={linkTo('devices')}>Turn on a light</a> and see its event arrive on a stream.
        </li>
        <li>
          Go <a href={linkTo('clock')}>31 days forward</a> and watch{' '}
          <a href={linkTo('billing', 'purchase-active')}>a subscription</a> renew.
        </li>
        <li>
          <a href={linkTo('tickets')}>Look at a service center's week</a>, and confirm an appointment.
        </li>
        <li>
          Cancel an in-store request by <a href={linkTo('mail')}>its mail</a>.
        </li>
        <li>
          Open <a href={linkTo('requests')}>a request</a>, copy it as curl, and run it.
        </li>
        <li>
          <a href={linkTo('faults')}>Make an operation fail</a>, and see how your client handles it.
        </li>
      </ol>
    </section>
  )
}

const MINUTES = 60
/** Maximum number of requests of the last hour that are read. The newest are read first. */
const MOST = 1000
const PAGE = 100

type Received = Pick<Entry, 'id' | 'at' | 'status'>

/** Reads the journal entries of the last hour. Each entry is read only once. */
function useLastHour(): (now: number) => Promise<readonly Received[]> {
  const known = useRef<readonly Received[]>([])
  return async (now) => {
    const since = new Date(now - MINUTES * MINUTE).toISOString()
    const read: Entry[] = []
    // Another call may change `known` during this one.
    let earlier = known.current
    for (;;) {
      const query = { kind: 'request', since, limit: PAGE, before: read.at(-1)?.id } as const
      const { entries } = await api.call('listJournal', { query })
      read.push(...entries)
      // IDs start again if the world is replaced.
      if ((read[0]?.id ?? 0) < (earlier[0]?.id ?? 0)) earlier = []
      if (entries.length < PAGE || read.length >= MOST || read.at(-1)!.id <= (earlier[0]?.id ?? 0)) break
    }
    const newest = earlier[0]?.id ?? 0
    const fresh = read.filter(({ id }) => id > newest).map(({ id, at, status }) => ({ id, at, status }))
    const all = [...fresh, ...earlier].filter(({ at }) => at >= since).slice(0, MOST)
    // Requests that are still waiting for their responses are read again.
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

function Minutes({ requests, now }: { requests: readonly Received[]; now: number }) {
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
        <p class="buttons">
          {classes.map(([tone, name]) => (
            <Badge key={tone} tone={tone}>
              {name}
            </Badge>
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
        <span>1 hour ago</span>
        <span>{requests.length === 0 ? 'no requests' : `at most ${count(most, 'request')} per minute`}</span>
        <span>now</span>
      </p>
    </section>
  )
}
