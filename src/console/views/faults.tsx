import { call } from '../api.ts'
import { useAct, useLoad } from '../hooks.ts'
import { Ask, Button } from '../parts/button.tsx'
import { Badge, Empty, Loading, Refusal } from '../parts/state.tsx'
import { count } from '../text.ts'
import type { Fault, Page } from '../types.ts'
import { NewFault } from './new-fault.tsx'
import { type Operation, useOperations } from './operations.ts'

/** Ready-made, by the server's names. */
const profiles = [
  ['flaky', 'Flaky: now and then an error or a reset'],
  ['slow', 'Slow'],
  ['brownout', 'Brownout: nearly a third fails'],
  ['lost-answers', 'Lost answers: the work is done'],
] as const

/** Failures on purpose, to see how a client takes them. `id` is the operation, or the path, that a new one is for. */
export function Faults({ id }: { id: string | undefined }) {
  const { data, error } = useLoad<Page<Fault>>('faults')
  const operations = useOperations()
  const act = useAct()
  return (
    <section>
      <div class="title-row">
        <h1>Faults</h1>
        <Ask
          label="Remove all"
          question="Remove all faults?"
          off={act.busy || !data?.totalCount}
          onYes={() => void act.run(() => call('DELETE', 'faults'))}
        />
      </div>
      <NewFault key={id} about={id} />
      <div class="buttons" role="group" aria-label="Ready-made">
        <span class="hint">Or all at once:</span>
        {profiles.map(([name, label]) => (
          <Button key={name} off={act.busy} onClick={() => void act.run(() => call('POST', `faults/profiles/${name}`))}>
            {label}
          </Button>
        ))}
      </div>
      <Refusal error={error ?? act.error} />
      {!data && !error ? <Loading /> : null}
      {data?.totalCount === 0 ? (
        <Empty title="Nothing fails on purpose.">
          <p>A fault answers in the document's own dialect: an error body, a SOAP fault, a result code, or a reset.</p>
        </Empty>
      ) : null}
      <ul class="faults" aria-label="Faults">
        {data?.items.map((fault) => (
          <li key={fault.faultId} class="panel">
            <div>
              <strong>{toTarget(fault, operations)}</strong>
              <p>{toEffect(fault)}</p>
            </div>
            <Badge tone={fault.struck > 0 ? 'warn' : 'plain'}>struck {count(fault.struck, 'time')}</Badge>
            <Ask
              label="Remove"
              question="Remove it?"
              off={act.busy}
              onYes={() => void act.run(() => call('DELETE', `faults/${fault.faultId}`))}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function toTarget({ name, match: { operation, ...rest } }: Fault, operations: readonly Operation[]): string {
  const others = Object.entries(rest).map(([criterion, value]) =>
    typeof value === 'string' ? value : `${criterion} ${JSON.stringify(value)}`,
  )
  const summary = operations.find((each) => each.operation === String(operation))?.summary
  const asked = operation === undefined ? '' : `operation ${operation}${summary ? `, ${summary}` : ''}`
  return [name && `${name}:`, asked, ...others].filter(Boolean).join(' ')
}

function toEffect({ respond, when, delayMs, times, probability }: Fault): string {
  const answer = Object.entries(respond ?? {})
    .map(([form, value]) => (value === true ? form : `${form} ${value}`))
    .join(', ')
  const delay = typeof delayMs === 'object' ? JSON.stringify(delayMs) : delayMs
  return [
    when === 'after' ? 'does the work first' : '',
    answer && `answers with ${answer}`,
    delay !== undefined && `delays by ${delay} ms`,
    times === undefined ? 'until it is removed' : `${count(times, 'time')} at most`,
    probability !== undefined && `with probability ${probability}`,
  ]
    .filter(Boolean)
    .join(', ')
}
