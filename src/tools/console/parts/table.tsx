import { type ComponentChildren, h, type RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Loaded } from '../live.ts'
import { count, holds, pluralOf } from '../text.ts'
import { Ask, type AskProps, Button, Empty, Loading, Refusal } from './basics.tsx'
import { Field } from './form.tsx'
import { useKeys } from './keys.tsx'

/** Heights of rows in pixels, as in table.css. */
const [ROW, TALL] = [30, 44]
/** Number of extra rows drawn above and below the visible rows, so that the next row can get the focus. */
const SPARE = 12

export interface Column<T> {
  title: string
  /** CSS width. Columns without a width share the remaining space. */
  width?: string
  /** The value by which rows are sorted and searched. It is also displayed if there is no `cell`. */
  value?(row: T): string | number
  cell?(row: T, above: T | undefined): ComponentChildren
  /** Hidden if the table is narrow. */
  minor?: boolean
}

interface TableProps<T> {
  label: string
  /** Singular noun for one row. It is shown, if necessary as a plural, after the number of rows. */
  noun: string
  of: Loaded<{ items: readonly T[]; totalCount?: number }>
  columns: readonly Column<T>[]
  /** Returns the action in the last column of a row. The action requires a confirmation. */
  ask?(row: T): AskProps
  keyOf(row: T): string | number
  /** If the table is narrow, each row has several lines. For short tables only, because all rows are drawn. */
  wraps?: boolean
  /** A tall row has two lines. */
  isTall?(row: T, above: T | undefined): boolean
  /** A click anywhere in a row follows the link in its first column. */
  hrefOf?(row: T): string
  opened?: string | undefined
  /** Shown if there are no rows at all. */
  empty?: ComponentChildren
  /** If undefined, the table has neither a search field nor keyboard shortcuts. */
  placeholder?: string
  /** If set, the view performs the search, and the table shows all items that the view passes to it. */
  search?: { value: string; onInput(text: string): void }
  /** Additional fields next to the search field. */
  tools?: ComponentChildren
  /** Called near the last loaded row if `totalCount` is larger than the number of loaded rows. */
  onMore?(): void
  /** Called with the row's link or element when the user presses Enter on the row. */
  onEnter?(row: HTMLElement): void
}

/** Draws only the visible rows. They are in the caller's order until a header is clicked. */
export function Table<T>(props: TableProps<T>) {
  const { label, noun, of, ask, placeholder, tools, onMore, onEnter } = props
  const { empty = `There are no ${pluralOf(noun)}.` } = props
  const action: Column<T> = { title: 'Action', width: '9.5rem', cell: (row) => ask && <Ask {...ask(row)} /> }
  const columns = ask ? [...props.columns, action] : props.columns
  const [own, setOwn] = useState('')
  const search = props.search ?? { value: own, onInput: setOwn }
  const [sort, setSort] = useState<Sort>()
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const known = of.data?.items
  const none = own === '' ? empty : `No ${noun} matches.`
  const rows = useMemo(() => {
    const textOf = (row: T) => columns.map(({ value }) => value?.(row) ?? '').join(' ')
    return sorted(
      (known ?? []).filter((row) => own === '' || holds(textOf(row), own)),
      columns,
      sort,
    )
  }, [known, own, sort])
  /** The upper edge of each row, and the lower edge of the last row. */
  const edges = useMemo(() => {
    let edge = 0
    return [0, ...rows.map((row, i) => (edge += props.isTall?.(row, rows[i - 1]) ? TALL : ROW))]
  }, [rows])
  const seen = Math.ceil(innerHeight / ROW)
  const spare = props.wraps ? Infinity : SPARE
  const first = Math.max(0, Math.min(top, rows.length - seen) - spare)
  const last = Math.min(rows.length, first + seen + 2 * spare)
  const total = of.data?.totalCount ?? known?.length ?? 0
  const isPartial = onMore !== undefined && !of.isStale && (known?.length ?? 0) < total
  const isNearEnd = isPartial && last === rows.length
  useEffect(() => {
    if (isNearEnd) onMore()
  }, [isNearEnd, known?.length])
  useOpenedInSight(box, props, rows, edges)
  const { keysButton, keyHelp } = useKeys({
    rows: placeholder === undefined ? undefined : '.table-box [data-row]',
    search: '.table-tools input',
    onEnter,
  })
  const shown = rows.length === total ? '' : `${rows.length.toLocaleString('en-US')} of `
  return (
    <>
      {placeholder === undefined ? null : (
        <div class="row table-tools">
          <Field label="Search" grow {...search} placeholder={placeholder} />
          <span class="hint" role="status">
            {of.isStale ? 'Searching…' : of.data ? shown + count(total, noun) : ''}
            {isPartial ? ', scroll for more' : ''}
          </span>
          {keysButton}
          {tools}
        </div>
      )}
      {keyHelp}
      <Refusal error={of.error} />
      {!of.data && !of.error ? <Loading /> : null}
      {of.data && rows.length === 0 ? typeof none === 'string' ? <Empty title={none} /> : none : null}
      {rows.length === 0 ? null : (
        // Keyboard users must be able to reach everything that scrolls.
        <div
          class="table-box"
          tabIndex={0}
          role="region"
          aria-label={`${label}: rows`}
          ref={box}
          onScroll={({ currentTarget }) => setTop(edges.findLastIndex((edge) => edge <= currentTarget.scrollTop))}
        >
          <table
            class={`rows ${props.wraps ? 'wraps' : ''}`}
            aria-label={label}
            aria-rowcount={(own === '' ? total : rows.length) + 1}
            aria-busy={of.isStale ? 'true' : undefined}
          >
            <Head columns={columns} sort={sort} onSort={setSort} />
            <tbody>
              <Space height={edges[first]!} />
              {rows.slice(first, last).map((row, index) => (
                <Line
                  key={props.keyOf(row)}
                  {...props}
                  columns={columns}
                  row={row}
                  above={rows[first + index - 1]}
                  index={first + index}
                />
              ))}
              <Space height={edges.at(-1)! - edges[last]!} />
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

interface Sort {
  title: string
  isDown: boolean
}

interface HeadProps<T> {
  columns: readonly Column<T>[]
  sort: Sort | undefined
  onSort(sort: Sort | undefined): void
}

/** The third click on a header restores the caller's order. */
function Head<T>({ columns, sort, onSort }: HeadProps<T>) {
  const next = (title: string) =>
    sort?.title !== title ? { title, isDown: false } : sort.isDown ? undefined : { title, isDown: true }
  return (
    <>
      <colgroup>
        {columns.map(({ title, width, minor }) => (
          <col key={title} class={minor ? 'minor' : ''} style={{ inlineSize: width }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map(({ title, value, minor }) => {
            const order = sort?.title === title ? (sort.isDown ? 'descending' : 'ascending') : undefined
            return (
              <th key={title} scope="col" class={minor ? 'minor' : ''} aria-sort={order}>
                {value ? (
                  <Button class={`sort ${order ?? ''}`} onClick={() => onSort(next(title))}>
                    {title}
                  </Button>
                ) : (
                  title
                )}
              </th>
            )
          })}
        </tr>
      </thead>
    </>
  )
}

interface LineProps<T> extends Pick<TableProps<T>, 'columns' | 'keyOf' | 'hrefOf' | 'opened' | 'isTall'> {
  row: T
  above: T | undefined
  index: number
}

function Line<T>({ columns, keyOf, hrefOf, opened, isTall, row, above, index }: LineProps<T>) {
  const isOpen = String(keyOf(row)) === opened
  const classes = [hrefOf && 'linked', isOpen && 'open', isTall?.(row, above) && 'tall']
  const focusable = hrefOf ? {} : { tabIndex: -1, 'data-row': '' }
  return (
    <tr aria-rowindex={index + 2} class={classes.filter(Boolean).join(' ')} {...focusable}>
      {columns.map(({ title, minor, value, cell = value }, at) => {
        const content = cell?.(row, above)
        if (at > 0) return h('td', { key: title, class: minor ? 'minor' : '', 'data-title': title }, content)
        const link = { 'aria-current': isOpen ? 'true' : undefined, 'data-row': '' } as const
        return h('th', { key: title, scope: 'row' }, hrefOf ? h('a', { ...link, href: hrefOf(row) }, content) : content)
      })}
    </tr>
  )
}

/** An empty row that has the height of all the rows that are not drawn. */
function Space({ height }: { height: number }) {
  const attributes = { 'aria-hidden': 'true', style: { blockSize: `${height}px` } } as const
  return height === 0 ? null : h('tr', attributes, h('td', {}))
}

/** If a row was opened elsewhere or through its URL, it may be far outside the visible part of the table. */
function useOpenedInSight<T>(
  box: RefObject<HTMLDivElement | null>,
  { opened, keyOf }: TableProps<T>,
  rows: readonly T[],
  edges: readonly number[],
): void {
  const isReady = rows.length > 0
  useLayoutEffect(() => {
    const at = opened === undefined ? -1 : rows.findIndex((row) => String(keyOf(row)) === opened)
    const { scrollTop = 0, clientHeight = 0 } = box.current ?? {}
    const [from = 0, to = 0] = edges.slice(at, at + 2)
    const isInSight = from >= scrollTop && to + ROW <= scrollTop + clientHeight
    if (at >= 0 && !isInSight) box.current?.scrollTo({ top: from - clientHeight / 2 })
  }, [opened, isReady])
}

function sorted<T>(rows: readonly T[], columns: readonly Column<T>[], sort: Sort | undefined): readonly T[] {
  const value = columns.find(({ title }) => title === sort?.title)?.value
  if (!value || !sort) return rows
  const { compare } = new Intl.Collator('en', { numeric: true })
  const way = sort.isDown ? -1 : 1
  // Rows without a value come last in both directions.
  const order = (a: string | number, b: string | number) =>
    Number(a === '') - Number(b === '') ||
    way * (typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b)))
  return rows.toSorted((a, b) => order(value(a), value(b)))
}
