import { utcDate } from '#contract/records/local-times.ts'
import { api } from '#tools/console/address.ts'
import { readAll, useAnswer, useWorldNow } from '#tools/console/live.ts'
import { Ask, Empty } from '#tools/console/parts/basics.tsx'
import { Command } from '#tools/console/parts/code.tsx'
import { Facts } from '#tools/console/parts/form.tsx'
import { Opened, Split } from '#tools/console/parts/split.tsx'
import { type Column, Table } from '#tools/console/parts/table.tsx'
import { linkTo } from '#tools/console/route.ts'
import { count, toSecond } from '#tools/console/text.ts'
import type { OutboxMessage as OutboxMail } from '#tools/client/types.ts'

const columns: readonly Column<OutboxMail>[] = [
  { title: 'Subject', value: ({ subject }) => subject },
  { title: 'To', width: '11rem', value: ({ to }) => to },
  { title: 'Channel', width: '6rem', value: ({ channel }) => (channel === 'EMAIL' ? 'email' : channel), minor: true },
  { title: 'Sent', width: '14rem', value: ({ sentAt }) => sentAt, cell: ({ sentAt }) => toSecond(sentAt), minor: true },
]

export function Mail({ id }: { id: string | undefined }) {
  const mails = useAnswer('outbox', () => readAll((query) => api.call('listOutbox', { query })), { keep: true })
  const total = mails.data?.totalCount ?? 0
  return (
    <Split
      title="Mail"
      actions={
        <Ask
          label="Delete all mail"
          question={`Delete ${count(total, 'message')}?`}
          done={`Deleted ${count(total, 'message')}`}
          off={total === 0}
          onYes={api.clearOutbox}
        />
      }
      opened={id === undefined ? null : <Letter key={id} id={id} />}
    >
      <Table
        label="Messages"
        noun="message"
        of={mails}
        columns={columns}
        keyOf={({ messageId }) => messageId}
        hrefOf={({ messageId }) => linkTo('mail', messageId)}
        opened={id}
        placeholder="subject, recipient"
        empty={
          <Empty title="No message has been sent.">
            <p>
              An in-store request (operation 33) sends a confirmation with a cancel link. The message is stored here and
              does not leave this server. This command sends one:
            </p>
            <FirstMail />
          </Empty>
        }
      />
    </Split>
  )
}

const DAY = 86_400_000

function FirstMail() {
  const now = useWorldNow(60_000) ?? 0
  const visit = { ascType: 'WALKIN', ascCode: 'ASC001', appointmentDate: utcDate(now + 2 * DAY), startTime: '11:00' }
  const person = { firstName: 'Carol', lastName: 'Baker', email: 'carol@example.com', zipCode: '07660' }
  const body = { ...visit, ...person, symptoms: ['IS10'], modelCode: 'VM-S100' }
  const command = [
    `curl '${api.url}/stg/us/instore/create'`,
    "-H 'request-source: splus' -H 'vendorus-GUID: splus-carol' -H 'content-type: application/json'",
    `-d '${JSON.stringify(body)}'`,
  ].join(' \\\n  ')
  return <Command text={command} label="An in-store request" />
}

/** A message may come from another person's snapshot, so links in the message are not trusted. */
function isPage(href: string): boolean {
  return URL.canParse(href) && /^https?:$/.test(new URL(href).protocol)
}

function Letter({ id }: { id: string }) {
  const mail = useAnswer(id, () => api.records.get<OutboxMail>('outbox', id), { keep: true })
  return (
    <Opened label="Message" back={linkTo('mail')} of={mail} gone="This message was deleted.">
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
