import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { useAct, useLoad, useSettled } from '#tools/console/hooks.ts'
import { useLive } from '#tools/console/live.ts'
import { Ask, Button } from '#tools/console/parts/button.tsx'
import { Choice, Field, Tabs } from '#tools/console/parts/field.tsx'
import { Pager } from '#tools/console/parts/pager.tsx'
import { Split } from '#tools/console/parts/split.tsx'
import { Empty, Loading, Refusal } from '#tools/console/parts/state.tsx'
import { replaceQuery, type Route } from '#tools/console/route.ts'
import { count } from '#tools/console/text.ts'
import { FirstRequest, RequestList } from './request-list.tsx'
import { focusEntry, RequestEntry } from './request-entry.tsx'
import { KeyHelp, useKeys } from '#tools/console/parts/keys.tsx'
import { useClosing } from '#tools/console/closing.ts'
import { toChoices, useOperations } from './operations.ts'

const PAGE = 60

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
  useKeys({
    rows: 'main [aria-label=Journal] a',
    search: 'main .list-side input',
    onHelp: () => setHelp((shown) => !shown),
    onEnter: (row) => {
      byKey.current = true
      if (row.ariaCurrent) focusEntry(byKey)
    },
  })
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
        <RequestList entries={entries} openedId={id} query={asked} />
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

const methods = ['', 'GET', 'POST', 'PUT', 'DELETE'].map((name) => [name, name || 'any'] as const)
const nothing = { q: '', operation: '', method: '', path: '', status: '', caller: '' }
type FilterFields = typeof nothing

/** A field that does not filter is empty. */
function readFilters(params: URLSearchParams): FilterFields {
  return Object.fromEntries(
    Object.entries(nothing).map(([name, none]) => [name, params.get(name) ?? none]),
  ) as FilterFields
}

interface FiltersProps {
  filters: FilterFields
  show(name: keyof FilterFields): (value: string) => void
  onClose(): void
}

function Filters({ filters, show, onClose }: FiltersProps) {
  const operations = useOperations()
  const box = useClosing<HTMLDivElement>(onClose)
  return (
    <div class="row" ref={box}>
      <Choice
        label="Operation"
        grow
        value={filters.operation}
        onInput={show('operation')}
        options={[['', 'any'], ...toChoices(operations)]}
      />
      <Choice label="Method" value={filters.method} onInput={show('method')} options={methods} />
      <Field label="Path, * for anything" value={filters.path} onInput={show('path')} placeholder="/stg/us/*" />
      <Field label="Status" value={filters.status} onInput={show('status')} placeholder="404" />
      <Field label="Caller" value={filters.caller} onInput={show('caller')} placeholder="web-alice" />
    </div>
  )
}
