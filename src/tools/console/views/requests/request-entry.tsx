import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { useLoad } from '../../hooks.ts'
import { Code } from '../../parts/code.tsx'
import { Facts } from '../../parts/field.tsx'
import { Opened } from '../../parts/split.tsx'
import { Badge, Findings } from '../../parts/state.tsx'
import { linkTo } from '../../route.ts'
import { toneOf, toSecond } from '../../text.ts'
import type { Entry, Message, Reason } from '../../types.ts'
import { useDeviceNames } from '../devices/event-tail.tsx'
import { Again } from './request-again.tsx'
import { focusHeading } from '../../parts/keys.tsx'
import { describeFrame, toOperationName } from './request-list.tsx'

interface Props {
  id: string
  query: string
  byKey: RefObject<boolean>
}

export function RequestEntry({ id, query, byKey }: Props) {
  const entry = useLoad('getJournalEntry', { params: [id] })
  useEffect(() => {
    if (entry.data ?? entry.error) focusEntry(byKey)
  }, [entry.data, entry.error])
  return (
    <Opened
      label="Entry"
      back={linkTo('requests', undefined, query)}
      of={entry}
      gone="This entry is not in the journal any more."
    >
      {(data) => (data.kind === 'frame' ? <Frame entry={data} /> : <Exchange entry={data} />)}
    </Opened>
  )
}

function Exchange({ entry }: { entry: Entry }) {
  const { method, path, query, status, request, response, why, durationMs, operation, caller, requestId, at } = entry
  return (
    <>
      <h2 class="mono" tabIndex={-1}>
        {method} <span>{path}</span>
        {query ? <small>?{query}</small> : null}
      </h2>
      <Facts>
        {[
          ['Status', <Badge tone={toneOf(status)}>{status ?? 'nothing was answered'}</Badge>],
          ['Operation', toOperationName(operation)],
          ['Caller', caller],
          ['At', `${toSecond(at)} UTC`],
          ['Took', `${durationMs} ms`],
          ['Faults', entry.faults?.join(', ')],
          ['Request id', requestId],
          ['Ignored', entry.ignored?.map(({ name, near }) => (near ? `${name} (near: ${near})` : name)).join(', ')],
        ]}
      </Facts>
      {why ? <Why why={why} /> : null}
      <Part title="Request" message={request} />
      <Part title="Reply" message={response} />
      <Again entry={entry} />
    </>
  )
}

function Why({ why: { code, message, source, findings } }: { why: Reason }) {
  return (
    <section class="why" aria-label="Why it was refused">
      <h3>Why it was refused</h3>
      <Findings findings={findings.length > 0 ? findings : [{ code, message, target: '', source }]} />
    </section>
  )
}

function Part({ title, message }: { title: string; message: Message | undefined }) {
  if (!message) return null
  const headers = Object.entries(message.headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <section>
      <h3>{title}</h3>
      {message.body === undefined ? (
        <p class="hint">{hadBody(message) ? 'The journal does not keep this body.' : 'No body.'}</p>
      ) : (
        <Code value={message.body} label={`${title}: body`} />
      )}
      <details>
        <summary>
          {title}: {headers.length} headers
        </summary>
        <Code value={headers.join('\n')} label={`${title}: headers`} />
      </details>
    </section>
  )
}

function hadBody({ headers }: Message): boolean {
  const length = headers['content-length']
  if (length !== undefined) return Number(length) > 0
  return 'transfer-encoding' in headers || 'content-type' in headers
}

function Frame({ entry: { frame, caller, at } }: { entry: Entry }) {
  const names = useDeviceNames()
  return (
    <>
      <h2 tabIndex={-1}>{describeFrame(frame, names)}</h2>
      <Facts>
        {[
          ['Event', frame?.event],
          ['Event id', frame?.id],
          ['Subscription', frame?.subscriptionId],
          ['User', caller],
          ['At', `${toSecond(at)} UTC`],
        ]}
      </Facts>
      <h3>Data</h3>
      <Code value={frame?.data} label="Data" />
    </>
  )
}

/** The focus moves to the opened heading only when a key opened it. */
export function focusEntry(byKey: RefObject<boolean>): void {
  if (byKey.current) focusHeading()
  byKey.current = false
}
