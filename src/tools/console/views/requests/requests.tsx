import { useEffect, useRef, useState } from 'preact/hooks'
import { describeDifference } from '#tools/client/expected-requests.ts'
import { api } from '#tools/console/address.ts'
import { useClosing } from '#tools/console/closing.ts'
import { useLive, useLoad, useSettled } from '#tools/console/live.ts'
import { Ask, Badge, Button, Empty } from '#tools/console/parts/basics.tsx'
import { Choice, Field, Form, Tabs, usePlan } from '#tools/console/parts/form.tsx'
import { Split } from '#tools/console/parts/split.tsx'
import { Table } from '#tools/console/parts/table.tsx'
import { linkTo, replaceQuery, type Route } from '#tools/console/route.ts'
import { count } from '#tools/console/text.ts'
import type { JournalEntry as Entry } from '#contract/records/control/journal.ts'
import type { Reply } from '#contract/control/calls.ts'
import { Comparison } from './compare.tsx'
import { toChoices, useOperations } from './operations.ts'
import { toNumber } from '../faults/fault-plan.ts'
import { focusEntry, RequestEntry } from './request-entry.tsx'
import { addressOf, columnsOf, FirstRequest, isTall, Method, useEntryNames } from './request-list.tsx'
import { Timeline } from './timeline.tsx'

/** Maximum page size of the control API. */
const PAGE = 100

const kinds = [
  ['', 'All'],
  ['kind=request', 'Requests'],
  ['refused=true', 'Rejected'],
  ['kind=frame', 'Stream frames'],
] as const

/** The server performs the search, because the page has only the newest entries. */
export function Requests({ id, query: asked }: Omit<Route, 'view'>) {
  const params = new URLSearchParams(asked)
  const kind = kinds.find(([each]) => each !== '' && `&${params}&`.includes(`&${each}&`))?.[0] ?? ''
  const filters = readFilters(params)
  const isFiltered = Object.entries(filters).some(([name, value]) => name !== 'q' && value !== '')
  const [more, setMore] = useState(isFiltered)
  useEffect(() => {
    if (isFiltered) setMore(true)
  }, [isFiltered])
  const byKey = useRef(false)
  const nameOf = useEntryNames()
  const query = useSettled(params.toString())
  const { items, of, isPaused, missed, pause, loadOlder } = useJournal(query)
  const filterBy = (chosen: string, fields: FilterFields) => {
    const set = Object.entries(fields).filter(([, value]) => value !== '')
    replaceQuery(new URLSearchParams([...new URLSearchParams(chosen), ...set]).toString())
  }
  const change = (name: keyof FilterFields) => (value: string) => filterBy(kind, { ...filters, [name]: value })
  const [openedId, otherId] = id?.split(',') ?? []
  const hrefOf = (entry: Entry) =>
    linkTo('requests', otherId === undefined || entry.kind === 'frame' ? entry.id : `${openedId},${entry.id}`, asked)

  return (
    <Split
      title="Requests"
      actions={
        <>
          <Button aria-pressed={isPaused} onClick={() => pause(!isPaused)}>
            {isPaused ? `Continue list${missed > 0 ? ` (${missed} more)` : ''}` : 'Pause list'}
          </Button>
          <Ask
            label="Clear"
            question="Delete all requests and frames?"
            done="Deleted all requests and frames"
            off={items.length === 0}
            onYes={api.clearJournal}
          />
        </>
      }
      opened={
        openedId === undefined ? null : otherId === undefined ? (
          <RequestEntry key={openedId} id={openedId} query={asked} byKey={byKey} />
        ) : (
          <Comparison key={openedId} id={openedId} otherId={otherId} query={asked} />
        )
      }
    >
      <Timeline entries={items} nameOf={nameOf} />
      <Table
        label="Journal"
        noun="entry"
        of={of}
        columns={columnsOf(nameOf)}
        keyOf={(entry) => entry.id}
        hrefOf={hrefOf}
        isTall={isTall}
        opened={openedId}
        placeholder="method, path, status, query, headers, bodies"
        search={{ value: filters.q, onInput: change('q') }}
        tools={
          <>
            <Tabs label="Kind" value={kind} onInput={(value) => filterBy(value, filters)} options={kinds} />
            <Button aria-expanded={more} onClick={() => setMore(!more)}>
              Filter and verify
            </Button>
            {more ? <Filters filters={filters} change={change} onClose={() => setMore(false)} /> : null}
          </>
        }
        onMore={() => void loadOlder()}
        onEnter={(row) => {
          byKey.current = true
          if (row.ariaCurrent) focusEntry(byKey)
        }}
        empty={
          query === '' ? (
            <FirstRequest />
          ) : (
            <Empty title="No journal entry matches.">
              <Button onClick={() => replaceQuery('')}>Show all</Button>
            </Empty>
          )
        }
      />
    </Split>
  )
}

/** Shows entries as they arrive. If an older page was loaded, shows the journal as it was at that time. */
function useJournal(query: string) {
  const live = useLive((state) => state.entries)
  const newest = live[0]?.id ?? 0
  /** If the list is paused or contains older pages, new requests do not move it. */
  const [before, setBefore] = useState<number | undefined>()
  const [older, setOlder] = useState<Older>({ entries: [] })
  const filter = Object.fromEntries(new URLSearchParams(query))
  const { data, error, isStale } = useLoad('listJournal', { query: { ...filter, limit: PAGE, before } })
  const isPlain = query === '' && before === undefined
  const head = isPlain && live.length > 0 ? live.slice(0, PAGE) : data?.entries
  const items = [...(head ?? []), ...older.entries]
  const total = older.isComplete ? items.length : (data?.totalCount ?? items.length)
  const pause = (isPaused: boolean) => {
    setBefore(isPaused ? newest + 1 : undefined)
    setOlder({ entries: [] })
  }
  useEffect(() => pause(false), [query])
  const loadOlder = async () => {
    const last = items.at(-1)
    if (!last || isStale || items.length < PAGE) return
    setBefore((known) => known ?? items[0]!.id + 1)
    const { entries } = await api.call('listJournal', { query: { ...filter, limit: PAGE, before: last.id } })
    const longer = { entries: [...older.entries, ...entries], isComplete: entries.length < PAGE }
    // The user may have changed the filter in the meantime.
    setOlder((known) => (known === older ? longer : known))
  }
  return {
    items,
    of: { data: head && { items, totalCount: total }, error, isStale: isStale ?? false },
    isPaused: before !== undefined,
    missed: before === undefined ? 0 : newest + 1 - before,
    pause,
    loadOlder,
  }
}

interface Older {
  entries: readonly Entry[]
  /** True if the journal has no older entries. */
  isComplete?: boolean
}

const methods = ['', 'GET', 'POST', 'PUT', 'DELETE'].map((name) => [name, name || 'any'] as const)
const nothing = { q: '', operation: '', method: '', path: '', status: '', caller: '' }
type FilterFields = typeof nothing

/** A field that does not filter is an empty string. */
function readFilters(params: URLSearchParams): FilterFields {
  return Object.fromEntries(
    Object.entries(nothing).map(([name, empty]) => [name, params.get(name) ?? empty]),
  ) as FilterFields
}

interface FiltersProps {
  filters: FilterFields
  change(name: keyof FilterFields): (value: string) => void
  onClose(): void
}

function Filters({ filters, change, onClose }: FiltersProps) {
  const operations = useOperations()
  const box = useClosing<HTMLDivElement>(onClose)
  return (
    <div class="panel filters" ref={box}>
      <div class="row">
        <Choice
          label="Operation"
          grow
          value={filters.operation}
          onInput={change('operation')}
          options={[['', 'any'], ...toChoices(operations)]}
        />
        <Choice label="Method" value={filters.method} onInput={change('method')} options={methods} />
        <Field label="Path, * for anything" value={filters.path} onInput={change('path')} placeholder="/stg/us/*" />
        <Field label="Status" value={filters.status} onInput={change('status')} placeholder="404" />
        <Field label="Caller" value={filters.caller} onInput={change('caller')} placeholder="web-alice" />
      </div>
      <Verify key={JSON.stringify(filters)} filters={filters} />
    </div>
  )
}

const expectations = [
  ['atLeast', 'at least'],
  ['count', 'exactly'],
] as const

/** Asks the server whether the expected number of requests match the filter, like `expectRequests` in a test. */
function Verify({ filters: { q: _, operation, status, ...rest } }: { filters: FilterFields }) {
  const { plan, bind } = usePlan({ expectation: 'atLeast', number: '1' })
  const [verdict, setVerdict] = useState<Reply<'verifyJournal'> | undefined>()
  const match = {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== '')),
    ...(operation !== '' && { operation: toNumber(operation) }),
    ...(status !== '' && { status: toNumber(status) as number }),
  }
  return (
    <>
      <Form
        label="Verify"
        submit="Verify"
        onSubmit={async () => {
          setVerdict(undefined)
          setVerdict(await api.verify(match, { [plan.expectation]: Number(plan.number) }))
        }}
      >
        <Choice label="Expect" options={expectations} {...bind('expectation')} />
        <Field label="Requests" type="number" required {...bind('number')} />
      </Form>
      <div role="status">{verdict ? <Verdict {...verdict} /> : null}</div>
    </>
  )
}

function Verdict({ matched, count: found, nearest }: Reply<'verifyJournal'>) {
  const nameOf = useEntryNames()
  return (
    <>
      <Badge tone={matched ? 'good' : 'bad'}>{matched ? 'as expected' : 'not as expected'}</Badge>{' '}
      {count(found, 'request')} {found === 1 ? 'matches' : 'match'} operation, method, path, status and caller.
      {nearest.length > 0 ? (
        <>
          <p>The most similar requests:</p>
          <ul class="findings">
            {nearest.map((entry) => (
              <li key={entry.id}>
                <Method of={entry} /> <a href={linkTo('requests', entry.id)}>{nameOf(entry)}</a>{' '}
                <span class="mono">{addressOf(entry)}</span> {entry.differs.map(describeDifference).join(', ')}
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </>
  )
}
