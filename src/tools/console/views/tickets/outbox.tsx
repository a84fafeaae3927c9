import { useState } from 'preact/hooks'
import { utcDate } from '#contract/records/local-times.ts'
import { api } from '#tools/console/address.ts'
import { useAct, useAnswer, useLoad, useWorldNow } from '#tools/console/hooks.ts'
import { Ask } from '#tools/console/parts/button.tsx'
import { Command } from '#tools/console/parts/code.tsx'
import { Facts } from '#tools/console/parts/field.tsx'
import { List, Row } from '#tools/console/parts/list.tsx'
import { Pager } from '#tools/console/parts/pager.tsx'
import { Opened, Split } from '#tools/console/parts/split.tsx'
import { Badge, Empty, Refusal } from '#tools/console/parts/state.tsx'
import { linkTo } from '#tools/console/route.ts'
import { count, toSecond } from '#tools/console/text.ts'
import type { Mail } from '#tools/console/types.ts'

const PAGE = 30

export function Outbox({ id }: { id: string | undefined }) {
  const [offset, setOffset] = useState(0)
  const mails = useLoad('listOutbox', { query: { limit: PAGE, offset } })
  const total = mails.data?.totalCount ?? 0
  const act = useAct()
  return (
    <Split
      title="Outbox"
      actions={
        <Ask
          label="Clear"
          question={`Delete ${count(total, 'message')}?`}
          act={act}
          off={total === 0}
          onYes={api.clearOutbox}
        />
      }
      opened={id === undefined ? null : <Letter key={id} id={id} />}
    >
      <Refusal error={act.error} />
      <List
        label="Messages"
        kind="links"
        of={mails}
        empty={
          <Empty title="Nothing was sent yet.">
            <p>
              An in-store request (operation 33) sends a confirmation with a cancel link. It shows here at once, and
              goes nowhere else. Make one:
            </p>
            <FirstMail />
          </Empty>
        }
      >
        {({ messageId, subject, to, channel, sentAt }) => (
          <Row key={messageId} href={linkTo('outbox', messageId)} opened={messageId === id}>
            <strong>{subject}</strong>
            <Badge tone="calm">{channel === 'EMAIL' ? 'e-mail' : 'SMS'}</Badge>
            <span>{to}</span>
            <time dateTime={sentAt}>{toSecond(sentAt)}</time>
          </Row>
        )}
      </List>
      <Pager offset={offset} size={PAGE} total={total} move={setOffset} />
    </Split>
  )
}

function FirstMail() {
  const now = useWorldNow(60_000) ?? 0
  const body = {
    ascType: 'WALKIN',
    ascCode: 'ASC001',
    appointmentDate: utcDate(now + 2 * 86_400_000),
    startTime: '11:00',
    symptoms: ['IS10'],
    modelCode: 'VM-S100',
    firstName: 'Carol',
    lastName: 'Baker',
    email: 'carol@example.com',
    zipCode: '07660',
  }
  const command = [
    `curl '${api.url}/stg/us/instore/create'`,
    "-H 'request-source: splus' -H 'vendorus-GUID: splus-carol' -H 'content-type: application/json'",
    `-d '${JSON.stringify(body)}'`,
  ].join(' \\\n  ')
  return <Command text={command} label="An in-store request" />
}

/** A mail may come from a foreign snapshot, so its links are not trusted. */
function isPage(href: string): boolean {
  return URL.canParse(href) && /^https?:$/.test(new URL(href).protocol)
}

function Letter({ id }: { id: string }) {
  const mail = useAnswer(id, () => api.records.get<Mail>('outbox', id), { keep: true })
  return (
    <Opened label="Message" back={linkTo('outbox')} of={mail} gone="This message was deleted.">
      {({ subject, to, text, links, srid, sentAt }) => (
        <>
          <h2>{subject}</h2>
          <Facts>
            {[
              ['To', to],
              ['Sent', `${toSecond(sentAt)} UTC`],
              ['Request', srid && <a href={linkTo('tickets', srid)}>{srid}</a>],
            ]}
          </Facts>
          <div class="buttons">
            {links
              .filter(({ href }) => isPage(href))
              .map(({ rel, href }) => (
                <a key={href} class="button primary" href={href} target="_blank" rel="noreferrer">
                  {rel === 'cancel' ? 'Open the cancel link' : `Open the ${rel} link`}
                </a>
              ))}
          </div>
          <div class="panel letter">{text}</div>
        </>
      )}
    </Opened>
  )
}
