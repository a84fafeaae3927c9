import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { useAct } from '../hooks.ts'
import { useLive } from '../live.ts'
import { toAbsoluteUrl } from '../address.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Code } from '../parts/code.tsx'
import { Field, Tabs } from '../parts/field.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { Empty, Refusal } from '../parts/state.tsx'
import type { Entry } from '../types.ts'
import { RequestEntry } from './request-entry.tsx'
import { RequestList } from './request-list.tsx'

const PAGE = 60

const kinds = [
  ['all', 'All'],
  ['request', 'Requests'],
  ['refused', 'Refused'],
  ['frame', 'Stream frames'],
] as const

/** The journal, live: what was asked, what was answered, and why something was refused. */
export function Requests({ id }: { id: string | undefined }) {
  const entries = useLive((live) => live.entries)
  const [held, setHeld] = useState<readonly Entry[] | undefined>()
  const [kind, setKind] = useState('all')
  const [text, setText] = useState('')
  const act = useAct()
  const known = held ?? entries
  const fitting = known.filter((entry) => isOfKind(entry, kind) && holds(entry, text))
  const pages = usePages(fitting, PAGE)
  const opened = id === undefined ? undefined : known.find((entry) => String(entry.id) === id)
  const missed = held ? entries.filter((entry) => entry.id > (held[0]?.id ?? 0)).length : 0

  return (
    <section class={`split ${id === undefined ? '' : 'opened'}`}>
      <div class="list-side">
        <div class="title-row">
          <h1>Requests</h1>
          <div class="buttons">
            <button type="button" aria-pressed={held !== undefined} onClick={() => setHeld(held ? undefined : entries)}>
              {held ? `Go on${missed > 0 ? ` (${missed} more)` : ''}` : 'Pause'}
            </button>
            <button type="button" disabled={act.busy} onClick={() => void act.run(() => call('DELETE', 'journal'))}>
              Clear
            </button>
          </div>
        </div>
        <div class="row filters">
          <Tabs label="Kind" value={kind} onChoose={setKind} options={kinds} />
          <Field
            label="Filter"
            grow
            value={text}
            onInput={setText}
            placeholder="path, operation, status, caller, code"
          />
        </div>
        <Refusal error={act.error} />
        {fitting.length > 0 ? (
          <RequestList entries={pages.shown} openedId={id} />
        ) : known.length > 0 ? (
          <Empty title="No entry fits the filter.">
            <button
              type="button"
              onClick={() => {
                setText('')
                setKind('all')
              }}
            >
              Show all
            </button>
          </Empty>
        ) : (
          <FirstRequest />
        )}
        <Pager {...pages} />
      </div>
      {id === undefined ? null : <RequestEntry entry={opened} />}
    </section>
  )
}

function isOfKind(entry: Entry, kind: string): boolean {
  if (kind === 'refused') return (entry.status ?? 0) >= 400
  return kind === 'all' || entry.kind === kind
}

function holds({ path, operation, status, caller, method, why, frame, query }: Entry, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const all = [method, path, query, operation, status, caller, why?.code, frame?.event, frame?.subscriptionId]
  const line = all.join(' ').toLowerCase()
  return words.every((word) => line.includes(word))
}

function FirstRequest() {
  const command = `curl -H 'request-source: vendor.com' '${toAbsoluteUrl('/stg/us/guest/zipCode?zipCode=07660')}'`
  return (
    <Empty title="Nobody has asked for anything yet.">
      <p>Requests of all three interfaces and the frames of event streams show here as they happen. Try one:</p>
      <Code value={command} label="A first request" />
      <CopyButton text={command} label="Copy" />
    </Empty>
  )
}
