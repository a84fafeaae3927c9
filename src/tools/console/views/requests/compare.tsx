import { diffArrays } from 'diff'
import { api } from '#tools/console/address.ts'
import { useAnswer } from '#tools/console/live.ts'
import { Choice } from '#tools/console/parts/form.tsx'
import { Opened } from '#tools/console/parts/split.tsx'
import { Badge } from '#tools/console/parts/basics.tsx'
import { linkTo } from '#tools/console/route.ts'
import { count, toLines, toMillisecond } from '#tools/console/text.ts'
import type { JournalEntry as Entry } from '#contract/records/control/journal.ts'
import { addressOf, type Message, useEntryNames } from './request-list.tsx'

interface Props {
  id: string
  /** If empty, the latest earlier request of the same operation is used. */
  otherId: string
  query: string
}

export function Comparison({ id, otherId, query }: Props) {
  const found = useAnswer(`${id} ${otherId}`, () => findPair(id, otherId), { keep: true, once: true })
  const nameOf = useEntryNames()
  return (
    <Opened
      label="Comparison"
      back={linkTo('requests', id, query)}
      of={found}
      gone="The journal no longer has one of these entries."
    >
      {({ one, other, choices }) => (
        <>
          <h2 tabIndex={-1}>Compare two requests</h2>
          <p>{nameOf(one)}</p>
          <Choice
            label={`Compare #${one.id} with`}
            grow
            value={String(other?.id ?? '')}
            onInput={(chosen) => {
              location.hash = linkTo('requests', `${id},${chosen}`, query)
            }}
            options={choices.map((each) => [String(each.id), titleOf(each)])}
          />
          <p class="hint">
            To compare this entry with a request of another operation, select that request in the list.
          </p>
          {other ? <Differences entries={[one, other]} /> : <p>The journal has no other request of this operation.</p>}
        </>
      )}
    </Opened>
  )
}

async function findPair(id: string, otherId: string) {
  const read = (each: string) => api.call('getJournalEntry', { params: [each] })
  const one = await read(id)
  const { operation, path } = one
  const same = operation === undefined ? { path } : { operation: String(operation) }
  const query = { kind: 'request', limit: 100, ...same } as const
  const entries = (await api.call('listJournal', { query })).entries.filter((each) => each.id !== one.id)
  const other = otherId === '' ? (entries.find((each) => each.id < one.id) ?? entries.at(-1)) : await read(otherId)
  const isListed = other === undefined || entries.some((each) => each.id === other.id)
  return { one, other, choices: isListed ? entries : [other, ...entries] }
}

const titleOf = (entry: Entry) =>
  `#${entry.id}, ${toMillisecond(entry.at)}, ${entry.status ?? 'no response'}, ${addressOf(entry)}`

function Differences({ entries }: { entries: readonly Entry[] }) {
  const [before, after] = entries.toSorted((a, b) => a.id - b.id) as [Entry, Entry]
  return (
    <>
      <p class="mono diff">
        <del>- {titleOf(before)}</del>
        <ins>+ {titleOf(after)}</ins>
      </p>
      <Lines title="Request" before={linesOfRequest(before)} after={linesOfRequest(after)} />
      <Lines title="Response" before={linesOfResponse(before)} after={linesOfResponse(after)} />
    </>
  )
}

function Lines({ title, before, after }: { title: string; before: string[]; after: string[] }) {
  const chunks = diffArrays(before, after)
  const differing = chunks.reduce((sum, { added, removed, value }) => sum + (added || removed ? value.length : 0), 0)
  return (
    <section>
      <h3>
        {title}{' '}
        <Badge tone={differing === 0 ? 'good' : 'warn'}>
          {differing === 0 ? 'no differences' : count(differing, 'differing line')}
        </Badge>
      </h3>
      <pre class="code diff" tabIndex={0} role="region" aria-label={`${title}: lines`}>
        {chunks.flatMap(({ added, removed, value }) =>
          value.map((line) =>
            removed ? <del>- {line}</del> : added ? <ins>+ {line}</ins> : <span>{`  ${line}`}</span>,
          ),
        )}
      </pre>
    </section>
  )
}

function linesOfRequest({ method, path, query = '', request }: Entry): string[] {
  const parameters = query.split('&').filter((each) => each !== '')
  return [`${method} ${path}`, ...parameters.map((each, i) => `  ${i === 0 ? '?' : '&'}${each}`), ...linesOf(request)]
}

function linesOfResponse({ status, response }: Entry): string[] {
  return [`Status ${status ?? 'none'}`, ...linesOf(response)]
}

/** Headers that always differ between two requests, so they are not compared. */
const unique = new Set(['date', 'x-request-id', 'traceparent'])

function linesOf(message: Message | undefined): string[] {
  if (!message) return []
  const headers = Object.entries(message.headers).filter(([name]) => !unique.has(name))
  const lines = headers.map(([name, value]) => `${name}: ${value}`).sort()
  const { body } = message
  if (body === undefined) return lines
  return [...lines, '', ...toLines(body).split('\n')]
}
