import { Badge, type Tone } from '../parts/state.tsx'
import { linkTo } from '../route.ts'
import { toTime } from '../text.ts'
import type { Entry } from '../types.ts'

export function RequestList({ entries, openedId }: { entries: readonly Entry[]; openedId: string | undefined }) {
  return (
    <ul class="entries" aria-label="Journal">
      {entries.map((entry) => (
        <li key={entry.id}>
          <a href={linkTo('requests', entry.id)} aria-current={String(entry.id) === openedId ? 'true' : undefined}>
            <time dateTime={entry.at}>{toTime(entry.at)}</time>
            {entry.kind === 'frame' ? <FrameLine entry={entry} /> : <RequestLine entry={entry} />}
          </a>
        </li>
      ))}
    </ul>
  )
}

function RequestLine({
  entry: { method, path, status = 0, durationMs = 0, operation, why, caller },
}: {
  entry: Entry
}) {
  return (
    <>
      <span class="method">{method}</span>
      <span class="path" title={path}>
        {path}
      </span>
      <span class="note">{why?.code ?? toOperationName(operation) ?? caller ?? ''}</span>
      <Badge tone={toneOf(status)}>{status}</Badge>
      <span class="ms">{durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms</span>
    </>
  )
}

function FrameLine({ entry: { frame } }: { entry: Entry }) {
  return (
    <>
      <span class="method">event</span>
      <span class="path">
        {frame?.event} {frame?.subscriptionId}
      </span>
      <span class="note" />
      <Badge tone="calm">sent</Badge>
      <span class="ms" />
    </>
  )
}

export function toneOf(status: number): Tone {
  if (status >= 500) return 'bad'
  return status >= 400 ? 'warn' : 'good'
}

/** Document 1 numbers its operations. */
export function toOperationName(operation: Entry['operation']): string | undefined {
  return typeof operation === 'number' ? `operation ${operation}` : operation
}
