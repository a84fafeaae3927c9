import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { change, useAnswer } from '#tools/console/live.ts'
import { Badge, Button, Why } from '#tools/console/parts/basics.tsx'
import { Code, CopyButton } from '#tools/console/parts/code.tsx'
import { Facts, Select, Tabs } from '#tools/console/parts/form.tsx'
import { focusHeading } from '#tools/console/parts/keys.tsx'
import { Opened } from '#tools/console/parts/split.tsx'
import { linkTo } from '#tools/console/route.ts'
import { variablesOf } from '#tools/cases/view/curl-script.ts'
import { toDay, toLines, toMillisecond, toneOf } from '#tools/console/text.ts'
import type { JournalEntry as Entry } from '#contract/records/control/journal.ts'
import { addressOf, type Message, Method, toDuration, useEntryNames } from './request-list.tsx'
import { type CodeForm, formsFor, hadBody, languages, type Sent, toCode, toSent } from './request-code.ts'

export function RequestEntry({ id, query, byKey }: { id: string; query: string; byKey: RefObject<boolean> }) {
  const read = (redacted: boolean) => api.call('getJournalEntry', { params: [id], query: { redacted } })
  const load = async () => ({ data: await read(false), safe: toSent(await read(true)) })
  const entry = useAnswer(id, load, { keep: true })
  useEffect(() => {
    if (entry.data ?? entry.error) focusEntry(byKey)
  }, [entry.data, entry.error])
  return (
    <Opened
      label="Entry"
      back={linkTo('requests', undefined, query)}
      of={entry}
      gone="The journal no longer has this entry."
    >
      {({ data, safe }) =>
        data.kind === 'frame' ? <Frame entry={data} /> : <Exchange entry={data} safe={safe} query={query} />
      }
    </Opened>
  )
}

const toTimestamp = (at: string) => `${toDay(at)}, ${toMillisecond(at)} UTC`

function Exchange({ entry, safe, query }: Pick<ActionsProps, 'entry' | 'safe' | 'query'>) {
  const { status, why, durationMs, ignored } = entry
  const name = useEntryNames()(entry)
  const [form, setForm] = useState<CodeForm>('curl')
  const operation = String(entry.operation ?? entry.path)
  useEffect(() => change({ operation }), [operation])
  return (
    <>
      <h2 tabIndex={-1}>{name}</h2>
      <p>
        <Method of={entry} /> <span class="mono">{addressOf(entry)}</span>
      </p>
      <p>
        <Badge tone={toneOf(status)}>{status ?? 'no response'}</Badge>{' '}
        <span class="hint">
          in {toDuration(durationMs)}, {toTimestamp(entry.at)}
        </span>
      </p>
      <Actions entry={entry} safe={safe} query={query} form={form} onForm={setForm} />
      {why ? <Why why={why} /> : null}
      {ignored ? (
        <p class="hint">
          Parameters that the operation does not know:{' '}
          {ignored.map((each) => (each.near ? `${each.name} (did you mean ${each.near}?)` : each.name)).join(', ')}
        </p>
      ) : null}
      <Parts entry={entry} safe={safe} form={form} />
    </>
  )
}

const parts = [
  ['response', 'Response'],
  ['request', 'Request'],
  ['code', 'Code'],
  ['details', 'Details'],
] as const

function Parts({ entry, safe, form }: Pick<ActionsProps, 'entry' | 'safe' | 'form'>) {
  const [part, setPart] = useState<string>('response')
  const { request, response, operation, caller, faults, variation, requestId, traceId, why } = entry
  return (
    <>
      <Tabs label="Part" value={part} onInput={setPart} options={parts} />
      {part === 'request' ? <Part title="Request" message={request} /> : null}
      {part === 'response' ? <Part title="Response" message={response} /> : null}
      {part === 'code' ? (
        <Code value={toCode(form, safe, api.url, entry.status)} label={`As ${languages[form]}`} />
      ) : null}
      {part === 'details' ? (
        <Facts>
          {[
            ['Operation', typeof operation === 'number' ? `operation ${operation}` : operation],
            ['Caller', caller],
            ['Error code', why?.code],
            ['Profile', why?.profile],
            ['Faults', faults?.join(', ')],
            ['Variation', variation?.join(', ')],
            ['Request ID', requestId],
            ['Trace ID', traceId],
          ]}
        </Facts>
      ) : null}
    </>
  )
}

function Part({ title, message }: { title: string; message: Message | undefined }) {
  if (!message) return <p class="hint">There was no {title.toLowerCase()}.</p>
  const { headers, body } = message
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <section>
      <div class="title-row">
        <h3>{title} body</h3>
        {body === undefined ? null : <CopyButton text={toLines(body)} label="Copy body" />}
      </div>
      {body === undefined ? (
        <p class="hint">{hadBody(headers) ? 'The journal does not store this body.' : 'No body.'}</p>
      ) : (
        <Code value={body} label={`${title}: body`} />
      )}
      <h3>{title} headers</h3>
      <Code value={lines.join('\n')} label={`${title}: headers`} />
    </section>
  )
}

function Frame({ entry }: { entry: Entry }) {
  const { frame, caller, at } = entry
  const name = useEntryNames()(entry)
  return (
    <>
      <h2 tabIndex={-1}>{name}</h2>
      <Facts>
        {[
          ['Event', frame?.event],
          ['Event ID', frame?.id],
          ['Subscription', frame?.subscriptionId],
          ['User', caller],
          ['At', toTimestamp(at)],
        ]}
      </Facts>
      <h3>Data</h3>
      <Code value={frame?.data} label="Data" />
    </>
  )
}

/** The focus moves to the opened heading only if the entry was opened with the keyboard. */
export function focusEntry(byKey: RefObject<boolean>): void {
  if (byKey.current) focusHeading()
  byKey.current = false
}

const LONGEST_STORED = 16_384

interface ActionsProps {
  entry: Entry
  /** The request with placeholders instead of secrets. Copies are made of it. */
  safe: Sent
  query: string
  form: CodeForm
  onForm(form: CodeForm): void
}

function Actions({ entry, safe, query, form, onForm }: ActionsProps) {
  const { id, operation, method, path, status, request } = entry
  const sent = toSent(entry)
  const expected = Object.entries({ operation, method, path: operation === undefined ? path : undefined, status })
  const verify = new URLSearchParams(
    expected.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
  return (
    <>
      <div class="buttons">
        <Repeat sent={sent} />
        <a class="button" href={linkTo('faults', String(operation ?? path))}>
          Make it fail
        </a>
        <a class="button" href={linkTo('requests', `${id},`, query)}>
          Compare
        </a>
        <a class="button" href={linkTo('requests', undefined, verify.toString())}>
          Verify
        </a>
        <span class="buttons">
          <Select
            aria-label="Language"
            value={form}
            onInput={(chosen) => onForm(chosen as CodeForm)}
            options={formsFor(sent)}
          />
          <CopyButton key={form} text={toCode(form, safe, api.url, status)} label={`Copy as ${languages[form]}`} />
        </span>
      </div>
      {sent.hasFile ? (
        <p class="hint">The journal does not store files. Set FILE before you run a copy of this request.</p>
      ) : null}
      {sent.lacksBody ? (
        <p class="hint">The server rejected this request before it read the body. Repeat and Copy send no body.</p>
      ) : null}
      {variablesOf(safe).length > 0 ? (
        <p class="hint">
          Copies contain no secrets. A curl command reads each secret from a variable, such as TOKEN_1. Code in other
          languages contains a placeholder, such as <code>{'{{token:1}}'}</code>.
        </p>
      ) : null}
      {Number(request?.headers['content-length']) > LONGEST_STORED ? (
        <p class="hint">The journal stores only the beginning of this body. Repeat and Copy send only that part.</p>
      ) : null}
    </>
  )
}

function Repeat({ sent }: { sent: Sent }) {
  const [repeated, setRepeated] = useState<Partial<Response> | undefined>()
  const repeat = async () => {
    setRepeated(undefined)
    const { method, path, headers, body } = sent
    const sending = api.fetch(path, { method, headers, ...(body !== undefined && { body }) }) as Promise<Response>
    // A fault may have reset the connection.
    const response = await sending.catch((): Partial<Response> => ({}))
    setRepeated(response)
    // Without this call, an event stream would stay open.
    if (response.headers?.get('content-type') === 'text/event-stream') void response.body?.cancel()
  }
  // The journal does not store the uploaded file, so the request cannot be repeated.
  if (sent.hasFile) return null
  return (
    <>
      <Button class="primary" done={`Repeated ${sent.method} ${sent.path}`} onClick={repeat}>
        Repeat
      </Button>
      <span role="status">
        {repeated ? 'Response: ' : ''}
        {repeated ? <Badge tone={toneOf(repeated.status)}>{repeated.status ?? 'none'}</Badge> : null}
      </span>
    </>
  )
}
