import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLoad } from '#tools/console/hooks.ts'
import { Code, CopyButton } from '#tools/console/parts/code.tsx'
import { Facts, Tabs } from '#tools/console/parts/field.tsx'
import { Opened } from '#tools/console/parts/split.tsx'
import { Badge, Findings } from '#tools/console/parts/state.tsx'
import { linkTo } from '#tools/console/route.ts'
import { toneOf, toSecond } from '#tools/console/text.ts'
import type { Entry, Message, Reason } from '#tools/console/types.ts'
import { useDeviceNames } from '../devices/event-tail.tsx'
import { focusHeading } from '#tools/console/parts/keys.tsx'
import { describeFrame, toOperationName } from './request-list.tsx'
import { api } from '#tools/console/address.ts'
import { Button } from '#tools/console/parts/button.tsx'
import { type CodeForm, forms, type Sent, toCode, toSent } from './request-code.ts'

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

const LONGEST_KEPT = 16_384

function Again({ entry }: { entry: Entry }) {
  const sent = toSent(entry)
  const [form, setForm] = useState<string>('curl')
  const code = toCode(form as CodeForm, sent, api.url, entry.status)
  const name = forms.find(([each]) => each === form)?.[1] ?? ''
  return (
    <section aria-label="Send again">
      <div class="title-row">
        <h3>Send again</h3>
        <a class="button" href={linkTo('faults', String(entry.operation ?? entry.path))}>
          Fail it
        </a>
      </div>
      <Repeat sent={sent} />
      <div class="title-row">
        <Tabs label="Copy as" value={form} onInput={setForm} options={forms} />
        <CopyButton key={form} text={code} label={`Copy as ${name}`} />
      </div>
      {sent.hasFile ? <p class="hint">The journal keeps no files: FILE must be set before it runs.</p> : null}
      {Number(entry.request?.headers['content-length']) > LONGEST_KEPT ? (
        <p class="hint">The journal keeps the beginning of so long a body: what is sent from here is not all of it.</p>
      ) : null}
      <Code value={code} label={`As ${name}`} />
    </section>
  )
}

function Repeat({ sent }: { sent: Sent }) {
  const [answered, setAnswered] = useState<Partial<Response> | undefined>()
  const repeat = async () => {
    setAnswered(undefined)
    const { method, path, headers, body } = sent
    const sending = api.fetch(path, { method, headers, ...(body !== undefined && { body }) }) as Promise<Response>
    // A fault may have reset the connection.
    const reply = await sending.catch((): Partial<Response> => ({}))
    setAnswered(reply)
    // A stream would stay open.
    if (reply.headers?.get('content-type') === 'text/event-stream') void reply.body?.cancel()
  }
  if (sent.hasFile) return <p class="hint">The journal keeps no files, so this page cannot repeat it.</p>
  return (
    <div class="buttons">
      <Button onClick={repeat}>Repeat it</Button>
      <span role="status">
        {answered?.status === undefined ? '' : 'Answered '}
        {answered ? <Badge tone={toneOf(answered.status)}>{answered.status ?? 'nothing was answered'}</Badge> : null}
      </span>
    </div>
  )
}
