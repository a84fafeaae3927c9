import type { ComponentChildren } from 'preact'
import { type Column, Table } from '#tools/console/parts/table.tsx'
import { Badge, Empty, type Tone } from '#tools/console/parts/basics.tsx'
import { linkTo } from '#tools/console/route.ts'
import { count, newDay, toDay, toMillisecond, toneOf } from '#tools/console/text.ts'
import type { JournalEntry as Entry } from '#contract/records/control/journal.ts'
import type { EventEnvelope as PlatformEvent } from '#contract/records/events/platform-event.ts'
import { describe, useDeviceNames } from '../devices/event-tail.tsx'
import { api } from '#tools/console/address.ts'
import { loaded } from '#tools/console/live.ts'
import { Command } from '#tools/console/parts/code.tsx'
import { type Operation, useOperations } from './operations.ts'

export function useEntryNames(): (entry: Entry) => string {
  const devices = useDeviceNames()
  const operations = useOperations()
  return (entry) => (entry.kind === 'frame' ? describeFrame(entry.frame, devices) : nameRequest(entry, operations))
}

function nameRequest({ operation, path = '' }: Entry, operations: readonly Operation[]): string {
  return operations.find((each) => each.operation === String(operation))?.summary ?? path
}

export type Message = NonNullable<Entry['request']>

const requestColumn = (nameOf: (entry: Entry) => string): Column<Entry> => ({
  title: 'Request',
  cell: (entry) => (
    <>
      <Method of={entry} /> {nameOf(entry)}
      {reasonOf(entry)}
    </>
  ),
})

const statusColumn: Column<Entry> = { title: 'Status', width: '4.6rem', cell: statusOf }
const timeColumn: Column<Entry> = { title: 'Time', width: '7.6rem', cell: timeOf, minor: true }

/** The second line contains the reason of a rejection, and the date if the request is the newest of its day. */
export function isTall({ at, why }: Entry, above: Entry | undefined): boolean {
  return why !== undefined || newDay(at, above?.at) !== undefined
}

export function columnsOf(nameOf: (entry: Entry) => string): readonly Column<Entry>[] {
  return [
    { ...requestColumn(nameOf), width: '19.5rem' },
    {
      title: 'Path and reason',
      cell: (entry) => (
        <div class="path-and-reason">
          <span class="mono">{addressOf(entry)}</span>
          {reasonOf(entry)}
        </div>
      ),
      minor: true,
    },
    statusColumn,
    { title: 'Duration', width: '5.4rem', cell: ({ durationMs }) => toDuration(durationMs), minor: true },
    timeColumn,
  ]
}

export function Method({ of: { method = 'EVENT' } }: { of: Pick<Entry, 'method'> }) {
  return <span class={`method ${tones[method] ?? ''}`}>{method}</span>
}

const tones: Readonly<Record<string, Tone>> = { GET: 'calm', HEAD: 'calm', POST: 'good', PUT: 'warn', DELETE: 'bad' }

/** Shows the first finding, which is more specific than the message that combines all findings. */
function reasonOf({ why }: Entry): ComponentChildren {
  if (!why) return null
  const [{ message }, ...others] = why.findings.length > 0 ? why.findings : [why]
  const text = `${message}${others.length > 0 ? ` (+${count(others.length, 'error')})` : ''}`
  return <span class="reason">{text}</span>
}

export function addressOf({ path, query, caller }: Entry): string {
  return path === undefined ? (caller ?? '') : query === undefined ? path : `${path}?${query}`
}

function statusOf({ kind, status, frame }: Entry): ComponentChildren {
  if (frame?.event === 'STREAM_END') return <Badge>ended</Badge>
  return kind === 'frame' ? <Badge tone="calm">sent</Badge> : <Badge tone={toneOf(status)}>{status ?? 'none'}</Badge>
}

export function toDuration(ms: number | undefined): string {
  return ms === undefined ? '' : `${ms < 10 ? ms.toFixed(1) : Math.round(ms).toLocaleString('en-US')} ms`
}

function timeOf({ at }: Entry, above: Entry | undefined): ComponentChildren {
  const day = newDay(at, above?.at)
  return (
    <time dateTime={at} title={toDay(at)}>
      {toMillisecond(at)} {day ? <span class="day">{day.slice('Wed '.length)}</span> : null}
    </time>
  )
}

export function NewestRequests({ entries }: { entries: readonly Entry[] }) {
  return (
    <Table
      label="Journal"
      noun="entry"
      of={loaded(entries)}
      columns={[requestColumn(useEntryNames()), statusColumn, timeColumn]}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => linkTo('requests', id)}
      empty={<FirstRequest />}
    />
  )
}

function describeFrame(frame: Entry['frame'], names: ReadonlyMap<string, string>): string {
  if (frame?.event === 'CONTROL_EVENT') return `Stream: ${String(frame.data)}`
  if (frame?.event === 'STREAM_END') return `Stream ended: ${String(frame.data)}`
  const { deviceId, text } = describe(frame?.data as PlatformEvent)
  return `${names.get(deviceId) ?? deviceId}: ${text}`
}

export function FirstRequest() {
  const command = `curl -H 'request-source: vendor.com' '${api.url}/stg/us/guest/zipCode?zipCode=07660'`
  return (
    <Empty title="This world has not received any requests.">
      <p>Requests of all three interfaces and the frames of event streams appear here as they arrive. Try one:</p>
      <Command text={command} label="A first request" />
    </Empty>
  )
}
