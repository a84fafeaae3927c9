import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../../address.ts'
import { useAct, useLoad } from '../../hooks.ts'
import { useLive } from '../../live.ts'
import { Ask, Button } from '../../parts/button.tsx'
import { Field, Tabs } from '../../parts/field.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Split } from '../../parts/split.tsx'
import { Empty, Loading, Refusal } from '../../parts/state.tsx'
import { type Route, replaceQuery } from '../../route.ts'
import { count } from '../../text.ts'
import { FirstRequest } from '../overview/first-request.tsx'
import { type FilterFields, Filters, readFilters } from './request-filters.tsx'
import { RequestEntry } from './request-entry.tsx'
import { KeyHelp, useRequestKeys } from './request-keys.tsx'
import { RequestList } from './request-list.tsx'

const PAGE = 60
/** A search waits so many milliseconds after the last key. */
const TYPING = 200

const kinds = [
  ['', 'All'],
  ['kind=request', 'Requests'],
  ['refused=true', 'Refused'],
  ['kind=frame', 'Stream frames'],
] as const

/** The server searches, since the page holds only the newest entries. */
export function Requests({ id, query: asked }: Omit<Route, 'view'>) {
  const live = useLive((state) => state.entries)
  const newest = live[0]?.id ?? 0
  const params = new URLSearchParams(asked)
  const kind = kinds.find(([each]) => each !== '' && `&${params}&`.includes(`&${each}&`))?.[0] ?? ''
  const filters = readFilters(params)
  const [more, setMore] = useState(() => Object.entries(filters).some(([name, value]) => name !== 'q' && value !== ''))
  const [offset, setOffset] = useState(0)
  /** A held list, or a later page, does not move when requests arrive. */
  const [before, setBefore] = useState<number | undefined>()
  const act = useAct()
  const byKey = useRef(false)
  const [help, setHelp] = useState(false)
  const [isStory, setStory] = useState(false)
  useRequestKeys({ byKey, onHelp: useCallback(() => setHelp((shown) => !shown), []) })
  const query = useSettled(params.toString())
  const filter = Object.fromEntries(new URLSearchParams(query))
  const { data, error } = useLoad('listJournal', { query: { ...filter, limit: PAGE, offset, before } })
  const isPlain = query === '' && offset === 0 && before === undefined
  const entries = isPlain && live.length > 0 ? live.slice(0, PAGE) : (data?.entries ?? [])
  const total = data?.totalCount ?? 0
  const hold = (held: boolean) => setBefore(held ? newest + 1 : undefined)
  const move = (to: number) => {
    hold(to > 0)
    setOffset(to)
  }
  useEffect(() => move(0), [query])
  const filterBy = (chosen: string, fields: FilterFields) => {
    const given = Object.entries(fields).filter(([, value]) => value !== '')
    replaceQuery(new URLSearchParams([...new URLSearchParams(chosen), ...given]).toString())
  }
  const show = (name: keyof FilterFields) => (value: string) => filterBy(kind, { ...filters, [name]: value })
  const missed = before === undefined ? 0 : newest + 1 - before

  return (
    <Split
      title="Requests"
      actions={
        <>
          <Button aria-pressed={before !== undefined} onClick={() => (before === undefined ? hold(true) : move(0))}>
            {before === undefined ? 'Pause' : `Go on${missed > 0 ? ` (${missed} more)` : ''}`}
          </Button>
          <Ask
            label="Clear"
            question="Forget all requests and frames?"
            act={act}
            off={newest === 0}
            onYes={api.clearJournal}
          />
        </>
      }
      opened={id === undefined ? null : <RequestEntry key={id} id={id} query={asked} byKey={byKey} />}
    >
      <div class="row">
        <Tabs label="Kind" value={kind} onInput={(value) => filterBy(value, filters)} options={kinds} />
        <Field label="Search" grow value={filters.q} onInput={show('q')} placeholder="path, query, headers, bodies" />
        <Button aria-pressed={isStory} onClick={() => setStory(!isStory)}>
          Story
        </Button>
        <Button aria-expanded={help} onClick={() => setHelp(!help)}>
          Keys
        </Button>
        <Button aria-expanded={more} onClick={() => setMore(!more)}>
          More
        </Button>
      </div>
      {more ? <Filters filters={filters} show={show} onClose={() => setMore(false)} /> : null}
      {help ? <KeyHelp onClose={() => setHelp(false)} /> : null}
      <p class="hint" role="status">
        {query === '' || !data ? '' : `${count(total, 'entry', 'entries')} of all that are kept.`}
      </p>
      <Refusal error={error ?? act.error} />
      {!data && !error ? <Loading /> : null}
      {entries.length > 0 ? (
        <RequestList entries={entries} openedId={id} query={asked} isStory={isStory} />
      ) : query !== '' && data ? (
        <Empty title="No entry of the journal fits.">
          <Button onClick={() => replaceQuery('')}>Show all</Button>
        </Empty>
      ) : data ? (
        <FirstRequest />
      ) : null}
      <Pager offset={offset} size={PAGE} total={total} move={move} />
    </Split>
  )
}

function useSettled(text: string): string {
  const [settled, settle] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => settle(text), TYPING)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
