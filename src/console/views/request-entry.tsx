import { toAbsoluteUrl } from '../address.ts'
import { Code } from '../parts/code.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { Facts } from '../parts/field.tsx'
import { Badge, Empty } from '../parts/state.tsx'
import { linkTo } from '../route.ts'
import { toMinute, toTime } from '../text.ts'
import type { Entry, Message, Reason } from '../types.ts'
import { toCurl } from './curl.ts'
import { toneOf, toOperationName } from './request-list.tsx'

/** One entry, opened: what was sent, what came back, and the rule behind a refusal. */
export function RequestEntry({ entry }: { entry: Entry | undefined }) {
  if (!entry) {
    return (
      <article class="detail" aria-label="Entry">
        <Close />
        <Empty title="This entry is not in the journal any more.">
          <p>The journal keeps the newest 10,000; the console keeps the newest 1,000 of them.</p>
        </Empty>
      </article>
    )
  }
  return (
    <article class="detail" aria-label="Entry">
      <Close />
      {entry.kind === 'frame' ? <Frame entry={entry} /> : <Exchange entry={entry} />}
    </article>
  )
}

function Close() {
  return (
    <a class="close" href={linkTo('requests')}>
      Close
    </a>
  )
}

function Exchange({ entry }: { entry: Entry }) {
  const {
    method,
    path,
    query,
    status = 0,
    request,
    response,
    why,
    durationMs,
    operation,
    caller,
    at,
    requestId,
  } = entry
  const curl = toCurl(entry, toAbsoluteUrl(''))
  return (
    <>
      <h2 class="address">
        {method} <span>{path}</span>
        {query ? <small>?{query}</small> : null}
      </h2>
      <Facts>
        {[
          ['Status', <Badge tone={toneOf(status)}>{status}</Badge>],
          ['Operation', toOperationName(operation)],
          ['Caller', caller],
          ['At', `${toMinute(at).slice(0, 10)} ${toTime(at)} UTC`],
          ['Took', `${durationMs} ms`],
          ['Request id', requestId],
        ]}
      </Facts>
      {why ? <Why why={why} /> : null}
      <div class="title-row">
        <h3>As curl</h3>
        <CopyButton text={curl} label="Copy as curl" />
      </div>
      <Code value={curl} label="As curl" />
      <Part title="Request" message={request} />
      <Part title="Reply" message={response} />
    </>
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

function Frame({ entry: { frame, at } }: { entry: Entry }) {
  return (
    <>
      <h2 class="address">{frame?.event}</h2>
      <Facts>
        {[
          ['Subscription', frame?.subscriptionId],
          ['Event id', frame?.id],
          ['At', `${toMinute(at).slice(0, 10)} ${toTime(at)} UTC`],
        ]}
      </Facts>
      <h3>Data</h3>
      <Code value={frame?.data} label="Data" />
    </>
  )
}
