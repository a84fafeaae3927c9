import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { api, consoleOf } from './address.ts'
import { toDigest } from './cases/replay.ts'
import { useClosing } from './closing.ts'
import { readAll, useAnswer } from './live.ts'
import { linkTo } from './route.ts'
import { holds, nameOf } from './text.ts'
import type { StoredRecord } from '#contract/records/snapshot.ts'
import { useOperations } from './views/requests/operations.ts'
import { statusOf } from './views/tickets/tickets.tsx'
import { nameTokens } from './views/worlds/tokens.tsx'

const MOST = 40

interface Hit {
  kind: string
  text: string
  /** The path of an operation, which the search includes but which is not shown. */
  path?: string
  href: string
}

/** Name, collection and view of each kind of record that the palette searches. A result opens in the view. */
const sources = [
  ['Ticket', 'tickets', 'tickets'],
  ['In-store request', 'inStoreRequests', 'tickets'],
  ['Purchase', 'purchases', 'billing'],
  ['Customer', 'customers', 'data'],
  ['Profile', 'profiles', 'data'],
  ['Company', 'companies', 'data'],
  ['Service center', 'serviceCenters', 'data'],
  ['Store', 'stores', 'data'],
  ['Home', 'locations', 'data'],
  ['Device', 'devices', 'data'],
  ['Token', 'accessTokens', 'data'],
  ['Partner', 'partners', 'data'],
  ['Seller', 'sellers', 'data'],
] as const

type Views = readonly { name: string; title: string; actions?: string }[]

export function Palette({ views, onClose }: { views: Views; onClose(): void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const dialog = useClosing<HTMLDialogElement>(onClose)
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  const { hits, isLoading } = useHits(views, text)
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at])
  const go = (hit: Hit | undefined) => {
    if (!hit) return
    onClose()
    location.assign(hit.href)
  }
  return (
    <dialog class="palette" aria-label="Go to" ref={dialog} onClose={onClose} {...{ closedby: 'any' }}>
      <input
        role="combobox"
        aria-label="Go to"
        aria-expanded="true"
        aria-controls="hits"
        aria-activedescendant={hits[at] ? `hit-${at}` : undefined}
        autocomplete="off"
        placeholder="View, operation, record or world"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          const way = { ArrowDown: 1, ArrowUp: -1 }[event.key]
          if (way === undefined && event.key !== 'Enter') return
          event.preventDefault()
          if (way === undefined) go(hits[at])
          else setAt(Math.min(Math.max(at + way, 0), hits.length - 1))
        }}
      />
      <div id="hits" role="listbox" aria-label="Matches" ref={list}>
        {hits.map((hit, index) => (
          <a
            key={hit.href + hit.kind + hit.text}
            id={`hit-${index}`}
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            href={hit.href}
            onClick={onClose}
          >
            <span>{hit.text}</span> <small>{hit.kind}</small>
          </a>
        ))}
      </div>
      <p class="hint" role="status">
        {isLoading ? 'Reading records…' : hits.length === 0 ? `Nothing matches "${text}".` : ''}
      </p>
    </dialog>
  )
}

function useHits(views: Views, text: string): { hits: Hit[]; isLoading: boolean } {
  const operations = useOperations()
  const worlds = useAnswer('worlds', api.worlds, { once: true })
  const records = useAnswer('records', readRecords, { once: true })
  const all: Hit[] = [
    ...views.map(({ title, name, actions }) => ({
      kind: 'View',
      text: actions ? `${title}: ${actions}` : title,
      href: linkTo(name),
    })),
    ...(worlds.data?.items ?? []).map(({ name }) => ({ kind: 'World', text: name, href: consoleOf(name) })),
    ...operations.flatMap(({ operation, summary, path }) => {
      const named = { text: `${operation}: ${summary}`, path }
      return [
        { ...named, kind: 'Requests of operation', href: linkTo('requests', undefined, `operation=${operation}`) },
        { ...named, kind: 'Add a fault', href: linkTo('faults', operation) },
      ]
    }),
    ...(records.data ?? []),
  ]
  // `op 30` finds operation 30.
  const typed = text.trim().replace(/^op(eration)? (?=\d)/i, '')
  const [first = ''] = typed.toLowerCase().split(/\s+/)
  // The world stores only the digests of tokens, so a pasted token is found by its digest.
  const digest = toDigest(text.trim())
  const found = all.filter(
    (hit) => holds(`${hit.text} ${hit.kind} ${hit.path ?? ''}`, typed) || hit.href.endsWith(digest),
  )
  const isNamed = (hit: Hit) =>
    hit.text
      .toLowerCase()
      .split(/[\s:]+/)
      .some((part) => part.startsWith(first))
  const rank = (hit: Hit) => Number(!isNamed(hit))
  return {
    hits: found.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST),
    isLoading: !records.data && !records.error,
  }
}

async function readRecords(): Promise<Hit[]> {
  const [{ items: collections }, tokens] = await Promise.all([api.records.collections(), nameTokens()])
  const read = async ([kind, collection, view]: (typeof sources)[number]): Promise<Hit[]> => {
    const { items } = await readAll((page) => api.records.list<StoredRecord>(collection, page))
    const field = collections.find(({ name }) => name === collection)?.key ?? ''
    return items.map((record) => {
      const key = String(record[field])
      const href = linkTo(view, view === 'data' ? `${collection}:${key}` : key)
      const { ticketNumber, phoneNumber, mobilePhone, email } = { ...Object(record['customer']), ...record }
      const status = view === 'tickets' ? statusOf(record) : ''
      const details = [nameOf(record), tokens.get(key) ?? key, status, ticketNumber, phoneNumber ?? mobilePhone, email]
      return { kind, text: details.filter(Boolean).join(' '), href }
    })
  }
  return (await Promise.all(sources.map(read))).flat()
}
