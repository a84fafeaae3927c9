import { useState } from 'preact/hooks'
import { api } from '#tools/console/address.ts'
import { Choice, Field } from '#tools/console/parts/field.tsx'
import { Form, usePlan } from '#tools/console/parts/form.tsx'
import { Badge } from '#tools/console/parts/state.tsx'
import { linkTo } from '#tools/console/route.ts'
import { count } from '#tools/console/text.ts'
import type { Reply } from '#tools/console/types.ts'
import { addressOf, Method, useEntryNames } from './request-list.tsx'

const expectations = [
  ['atLeast', 'at least'],
  ['count', 'exactly'],
] as const

type Fields = Record<'q' | 'operation' | 'method' | 'path' | 'status' | 'caller', string>

/** Asks the server whether the expected number of requests match the filter, as `expectRequests` does in a test. */
export function Verify({ filters: { q: _, operation, status, ...rest } }: { filters: Fields }) {
  const { plan, bind } = usePlan({ expectation: 'atLeast', number: '1' })
  const [verdict, setVerdict] = useState<Reply<'verifyJournal'> | undefined>()
  const match = {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== '')),
    ...(operation !== '' && { operation: /^\d+$/.test(operation) ? Number(operation) : operation }),
    ...(status !== '' && { status: Number(status) }),
  }
  return (
    <>
      <Form
        label="Verify"
        submit="Verify"
        onSubmit={async () => {
          setVerdict(undefined)
          setVerdict(await api.verify(match, { [plan.expectation]: Number(plan.number) }))
        }}
      >
        <Choice label="Expect" options={expectations} {...bind('expectation')} />
        <Field label="Requests" type="number" required {...bind('number')} />
      </Form>
      <div role="status">{verdict ? <Verdict {...verdict} /> : null}</div>
    </>
  )
}

function Verdict({ matched, count: found, nearest }: Reply<'verifyJournal'>) {
  const nameOf = useEntryNames()
  return (
    <>
      <Badge tone={matched ? 'good' : 'bad'}>{matched ? 'as expected' : 'not as expected'}</Badge>{' '}
      {count(found, 'request')} {found === 1 ? 'matches' : 'match'} operation, method, path, status and caller.
      {nearest.length > 0 ? (
        <>
          <p>The nearest misses:</p>
          <ul class="findings">
            {nearest.map((entry) => (
              <li key={entry.id}>
                <Method of={entry} /> <a href={linkTo('requests', entry.id)}>{nameOf(entry)}</a>{' '}
                <span class="mono">{addressOf(entry)}</span>{' '}
                <Badge tone="warn">differs: {entry.differs.join(', ')}</Badge>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </>
  )
}
