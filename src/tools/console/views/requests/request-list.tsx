import { Day } from '#tools/console/parts/list.tsx'
import { Badge, Empty } from '#tools/console/parts/state.tsx'
import { linkTo } from '#tools/console/route.ts'
import { newDay, toneOf, toTime } from '#tools/console/text.ts'
import type { Entry, PlatformEvent } from '#tools/console/types.ts'
import { describe, useDeviceNames } from '../devices/event-tail.tsx'
import { api } from '#tools/console/address.ts'
import { Command } from '#tools/console/parts/code.tsx'

interface ListProps {
  entries: readonly Entry[]
  openedId?: string | undefined
  /** The filter survives while an entry is open. */
  query?: string
}

export function RequestList({ entries, openedId, query }: ListProps) {
  const names = useDeviceNames()
  return (
    <ul class="entries" aria-label="Journal">
      {entries.map((entry, index) => (
        <li key={entry.id}>
          <Day title={newDay(entry.at, entries[index - 1]?.at)} />
          <a
            href={linkTo('requests', entry.id, query)}
            aria-current={String(entry.id) === openedId ? 'true' : undefined}
          >
            <time dateTime={entry.at}>{toTime(entry.at)}</time>
            {entry.kind === 'frame' ? <FrameLine entry={entry} names={names} /> : <RequestLine entry={entry} />}
          </a>
        </li>
      ))}
    </ul>
  )
}

function RequestLine({ entry }: { entry: Entry }) {
  const { method, path, query, status, durationMs = 0, operation, why, caller } = entry
  const address = query === undefined ? path : `${path}?${query}`
  return (
    <>
      <span class="method">{method}</span>
      <span class="path" title={address}>
        {path}
        {query === undefined ? null : <small>?{query}</small>}
      </span>
      <span class="note" title={why?.message}>
        {why?.code ?? toOperationName(operation) ?? caller ?? ''}
      </span>
      <Badge tone={toneOf(status)}>{status ?? 'none'}</Badge>
      <span class="ms">{durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms</span>
    </>
  )
}

function FrameLine({ entry: { frame, caller }, names }: { entry: Entry; names: ReadonlyMap<string, string> }) {
  return (
    <>
      <span class="method">event</span>
      <span class="path plain">{describeFrame(frame, names)}</span>
      <span class="note">{caller}</span>
      <Badge tone="calm">sent</Badge>
      <span class="ms" />
    </>
  )
}

export function describeFrame(frame: Entry['frame'], names: ReadonlyMap<string, string>): string {
  if (frame?.event === 'CONTROL_EVENT') return `stream: ${String(frame.data)}`
  const { deviceId, text } = describe(frame?.data as PlatformEvent)
  return `${names.get(deviceId) ?? deviceId}: ${text}`
}

/** Document 1 numbers its operations. */
export function toOperationName(operation: Entry['operation']): string | undefined {
  return typeof operation === 'number' ? `operation ${operation}` : operation
}

export function FirstRequest() {
  const command = `curl -H 'request-source: vendor.com' '${api.url}/stg/us/guest/zipCode?zipCode=07660'`
  return (
    <Empty title="Nobody has asked for anything yet.">
      <p>Requests of all three interfaces and the frames of event streams show here as they happen. Try one:</p>
      <Command text={command} label="A first request" />
    </Empty>
  )
}
