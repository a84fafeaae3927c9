import { toAbsoluteUrl } from '../address.ts'
import { call } from '../api.ts'
import { useAct, useLoad, useWorldNow } from '../hooks.ts'
import { Code } from '../parts/code.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { Facts } from '../parts/field.tsx'
import { Pager } from '../parts/pager.tsx'
import { Detail, Split } from '../parts/split.tsx'
import { Badge, Empty, Loading, Refusal } from '../parts/state.tsx'
import { linkTo } from '../route.ts'
import { count, toDay, toTime } from '../text.ts'
import type { Mail, Page } from '../types.ts'
import { useState } from 'preact/hooks'
import { Ask } from '../parts/button.tsx'

const PAGE = 30

/** Mails and messages the server would have sent. */
export function Outbox({ id }: { id: string | undefined }) {
  const [offset, setOffset] = useState(0)
  const { data, error } = useLoad<Page<Mail>>(`outbox?limit=${PAGE}&offset=${offset}`)
  const act = useAct()
  const opened = data?.items.find(({ messageId }) => messageId === id)
  return (
    <Split
      title="Outbox"
      actions={
        <Ask
          label="Clear"
          question={`Delete ${count(data?.totalCount ?? 0, 'message')}?`}
          off={act.busy || !data?.totalCount}
          onYes={() => void act.run(() => call('DELETE', 'outbox'))}
        />
      }
      opened={
        id === undefined ? null : (
          <Detail label="Message" back={linkTo('outbox')}>
            {opened ? <Letter mail={opened} /> : <Empty title="This message is not on this page of the outbox." />}
          </Detail>
        )
      }
    >
      <Refusal error={error ?? act.error} />
      {!data && !error ? <Loading /> : null}
      {data?.totalCount === 0 ? (
        <Empty title="Nothing was sent yet.">
          <p>
            An in-store request (operation 33) sends a confirmation with a cancel link. It shows here at once, and goes
            nowhere else. Make one:
          </p>
          <FirstMail />
        </Empty>
      ) : null}
      <ul class="mails" aria-label="Messages">
        {data?.items.map(({ messageId, subject, to, channel, sentAt }) => (
          <li key={messageId}>
            <a href={linkTo('outbox', messageId)} aria-current={messageId === id ? 'true' : undefined}>
              <strong>{subject}</strong>
              <Badge tone="calm">{channel === 'EMAIL' ? 'e-mail' : 'SMS'}</Badge>
              <span>{to}</span>
              <time dateTime={sentAt}>
                {toDay(sentAt)}, {toTime(sentAt)}
              </time>
            </a>
          </li>
        ))}
      </ul>
      <Pager offset={offset} size={PAGE} total={data?.totalCount ?? 0} move={setOffset} />
    </Split>
  )
}

function FirstMail() {
  const now = useWorldNow(60_000) ?? 0
  const body = {
    ascType: 'WALKIN',
    ascCode: 'ASC001',
    appointmentDate: new Date(now + 2 * 86_400_000).toISOString().slice(0, 10),
    startTime: '11:00',
    symptoms: ['IS10'],
    modelCode: 'VM-S100',
    firstName: 'Carol',
    lastName: 'Baker',
    email: 'carol@example.com',
    zipCode: '07660',
  }
  const command = [
    `curl '${toAbsoluteUrl('/stg/us/instore/create')}'`,
    "-H 'request-source: splus' -H 'vendorus-GUID: splus-carol' -H 'content-type: application/json'",
    `-d '${JSON.stringify(body)}'`,
  ].join(' \\\n  ')
  return (
    <>
      <Code value={command} label="An in-store request" />
      <CopyButton text={command} label="Copy" />
    </>
  )
}

function Letter({ mail: { subject, to, text, links, srid, sentAt } }: { mail: Mail }) {
  return (
    <>
      <h2>{subject}</h2>
      <Facts>
        {[
          ['To', to],
          ['Sent', `${toDay(sentAt)}, ${toTime(sentAt)} UTC`],
          ['Request', srid && <a href={linkTo('tickets', srid)}>{srid}</a>],
        ]}
      </Facts>
      <div class="buttons">
        {links.map(({ rel, href }) => (
          <a key={href} class="button primary" href={href} target="_blank" rel="noreferrer">
            {rel === 'cancel' ? 'Open the cancel link' : `Open the ${rel} link`}
          </a>
        ))}
      </div>
      <div class="letter">{text}</div>
    </>
  )
}
