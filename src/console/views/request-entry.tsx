import { useState } from 'preact/hooks'
import { toAbsoluteUrl } from '../address.ts'
import { send } from '../api.ts'
import { useAct, useLoad } from '../hooks.ts'
import { Button } from '../parts/button.tsx'
import { Code } from '../parts/code.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { Facts, Field, Tabs } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Detail } from '../parts/split.tsx'
import { Badge, Empty, Loading, Refusal } from '../parts/state.tsx'
import { linkTo } from '../route.ts'
import { toMinute, toTime } from '../text.ts'
import type { Entry, Message, Reason } from '../types.ts'
import { useDeviceNames } from './event-tail.tsx'
import { type CodeForm, forms, secretsOf, type Sent, toCode, toSent, withSecrets } from './request-code.ts'
import { describeFrame, toneOf, toOperationName } from './request-list.tsx'

/** One entry, opened: what was sent, what came back, and the rule behind a refusal. */
export function RequestEntry({ id }: { id: string }) {
  const { data: entry, error } = useLoad<Entry>(`journal/${encodeURIComponent(id)}`)
  const isGone = error?.status === 404 || error?.status === 400
  return (
    <Detail label="Entry" back={linkTo('requests')}>
      {isGone ? (
        <Empty title="This entry is not in the journal any more.">
          <p>The journal keeps the newest 10,000, until somebody clears it or resets the world.</p>
        </Empty>
      ) : (
        <Refusal error={error} />
      )}
      {!entry && !error ? <Loading /> : null}
      {entry ? entry.kind === 'frame' ? <Frame entry={entry} /> : <Exchange entry={entry} /> : null}
    </Detail>
  )
}

function Exchange({ entry }: { entry: Entry }) {
  const { method, path, query, status, request, response, why, durationMs, operation, caller, requestId } = entry
  return (
    <>
      <h2 class="address">
        {method} <span>{path}</span>
        {query ? <small>?{query}</small> : null}
      </h2>
      <Facts>
        {[
          ['Status', <Badge tone={toneOf(status)}>{status ?? 'nothing was answered'}</Badge>],
          ['Operation', toOperationName(operation)],
          ['Caller', caller],
          ['At', toInstant(entry)],
          ['Took', `${durationMs} ms`],
          ['Faults', entry.faults?.join(', ')],
          ['Request id', requestId],
        ]}
      </Facts>
      {why ? <Why why={why} /> : null}
      <Again entry={entry} />
      <Part title="Request" message={request} />
      <Part title="Reply" message={response} />
    </>
  )
}

/** The request once more: sent from here, made to fail, or as code. */
function Again({ entry }: { entry: Entry }) {
  const sent = toSent(entry)
  const [form, setForm] = useState<string>('curl')
  const secrets = secretsOf(sent)
  const code = toCode(form as CodeForm, sent, toAbsoluteUrl(''), entry.status)
  const label = `As ${forms.find(([name]) => name === form)?.[1]}`
  return (
    <section class="again" aria-label="Once more">
      <div class="title-row">
        <h3>Once more</h3>
        <a class="button" href={linkTo('faults', String(entry.operation ?? entry.path))}>
          Fail it
        </a>
      </div>
      <Repeat sent={sent} />
      <div class="title-row">
        <Tabs label="Copy as" value={form} onChoose={setForm} options={forms} />
        <CopyButton text={code} label={`Copy ${label.toLowerCase().replace('httpie', 'HTTPie')}`} />
      </div>
      {secrets.length > 0 ? (
        <p class="hint">The journal keeps no secrets: {secrets.join(', ')} must be set before it runs.</p>
      ) : null}
      <Code value={code} label={label} />
    </section>
  )
}

function Repeat({ sent }: { sent: Sent }) {
  const act = useAct()
  const [asked, setAsked] = useState(false)
  const [secrets, setSecrets] = useState<Record<string, string>>({})
  const [status, setStatus] = useState<number | undefined>()
  const wanted = secretsOf(sent)
  const repeat = () =>
    act.run(async () => {
      setStatus(undefined)
      const { method, path, headers, body } = withSecrets(sent, secrets)
      const reply = await send(path, { method, headers, ...(body !== undefined && { body }) })
      setStatus(reply.status)
    })
  if (sent.hasFile) return <p class="hint">The journal keeps no files, so this page cannot repeat it.</p>
  return (
    <Form
      label="Repeat it"
      class="row"
      onSubmit={() => {
        if (wanted.length > 0 && !asked) setAsked(true)
        else void repeat()
      }}
    >
      {asked
        ? wanted.map((name) => (
            <Field
              key={name}
              label={name}
              required
              value={secrets[name] ?? ''}
              onInput={(value) => setSecrets({ ...secrets, [name]: value })}
            />
          ))
        : null}
      <button type="submit" aria-disabled={act.busy || undefined}>
        Repeat it
      </button>
      {asked ? <Button onClick={() => setAsked(false)}>Not now</Button> : null}
      <span role="status">
        {status === undefined ? '' : 'Answered '}
        {status === undefined ? null : <Badge tone={toneOf(status)}>{status}</Badge>}
      </span>
      <Refusal error={act.error} />
    </Form>
  )
}

function Why({ why: { code, message, source, findings } }: { why: Reason }) {
  const rules = new Set([source, ...findings.map((finding) => finding.source)].filter(Boolean))
  return (
    <section class="why" aria-label="Why it was refused">
      <h3>Why it was refused</h3>
      {findings.length > 0 ? (
        <ul>
          {findings.map((finding) => (
            <li key={`${finding.target} ${finding.message}`}>{finding.message}</li>
          ))}
        </ul>
      ) : (
        <p>{message}</p>
      )}
      <p class="rule">
        <Badge tone="warn">{code}</Badge> {rules.size > 0 ? `Rule: ${[...rules].join('; ')}` : null}
      </p>
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
        <p class="hint">No body that the journal keeps.</p>
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

function Frame({ entry }: { entry: Entry }) {
  const { frame, caller } = entry
  const names = useDeviceNames()
  return (
    <>
      <h2>{describeFrame(frame, names)}</h2>
      <Facts>
        {[
          ['Event', frame?.event],
          ['Event id', frame?.id],
          ['Subscription', frame?.subscriptionId],
          ['User', caller],
          ['At', toInstant(entry)],
        ]}
      </Facts>
      <h3>Data</h3>
      <Code value={frame?.data} label="Data" />
    </>
  )
}

function toInstant({ at }: Entry): string {
  return `${toMinute(at).slice(0, 10)} ${toTime(at)} UTC`
}
