import type { FaultDelay } from '../../../../contract/records/control/fault.ts'
import { api } from '../../address.ts'
import { useAct, useAnswer } from '../../hooks.ts'
import { Ask, Button } from '../../parts/button.tsx'
import { Item, List } from '../../parts/list.tsx'
import { Badge, Empty, Refusal } from '../../parts/state.tsx'
import { count } from '../../text.ts'
import type { Fault } from '../../types.ts'
import { answers } from './fault-plan.ts'
import { NewFault } from './new-fault.tsx'
import { type Operation, useOperations } from '../requests/operations.ts'

const profiles = [
  ['flaky', 'Flaky', 'resets one request in twenty and refuses one in ten with Retry-After'],
  ['slow', 'Slow', 'answers after 300 ms in median, 2 s at the 99th percentile'],
  ['brownout', 'Brownout', 'refuses three requests in ten'],
  ['lost-answers', 'Lost answers', 'does one write in five, and resets the connection in place of its answer'],
  [
    'gateway',
    'Gateway',
    'answers one request in five with an HTML page of 502, 503, 504, a redirect to a login, or a login page under 200',
  ],
  ['maintenance', 'Maintenance', 'answers every request with an HTML page of 503 and Retry-After: 120'],
] as const

/** `id` is the operation or path that a new fault is for. */
export function Faults({ id }: { id: string | undefined }) {
  const faults = useAnswer('faults', api.faults.list)
  const operations = useOperations()
  const act = useAct()
  return (
    <section>
      <div class="title-row">
        <h1>Faults</h1>
        <Ask
          label="Remove all"
          question="Remove all faults?"
          act={act}
          off={!faults.data?.totalCount}
          onYes={api.faults.clear}
        />
      </div>
      <NewFault key={id} about={id} />
      <Refusal error={act.error} />
      <List
        label="Faults"
        kind="items"
        of={faults}
        empty={
          <Empty title="Nothing fails on purpose.">
            <p>
              A fault answers in the document's own dialect: an error body, a SOAP fault, a result code, or a reset.
            </p>
          </Empty>
        }
      >
        {(fault) => (
          <Item key={fault.faultId} title={toTarget(fault, operations)} note={toEffect(fault)}>
            <Badge tone={fault.struck > 0 ? 'warn' : 'plain'}>struck {count(fault.struck, 'time')}</Badge>
            <Ask label="Remove" question="Remove it?" act={act} onYes={() => api.faults.remove(fault.faultId)} />
          </Item>
        )}
      </List>
      <h2>Ready-made, for all requests</h2>
      <ul class="items" aria-label="Ready-made">
        {profiles.map(([name, label, effect]) => (
          <Item key={name} title={label} note={effect}>
            <Button act={act} onClick={() => api.faults.profile(name)}>
              Add {label}
            </Button>
          </Item>
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

function toEffect({ respond, when, delayMs, times, probability, from, until }: Fault): string {
  const answer = Object.entries(respond ?? {}).map(([form, value]) =>
    [answers[form]?.label ?? form, value === true ? '' : toShort(value)].join(' ').trim(),
  )
  return [
    ...answer,
    when === 'after' ? 'does the work first' : '',
    delayMs !== undefined && `late by ${toDelay(delayMs)}`,
    times === undefined ? 'until it is removed' : `${count(times, 'time')} at most`,
    probability !== undefined && `with probability ${probability}`,
    from !== undefined && `from ${from}`,
    until !== undefined && `until ${until}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function toShort(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

function toDelay(delay: FaultDelay): string {
  if (typeof delay === 'number') return `${delay} ms`
  return 'min' in delay
    ? `${delay.min} to ${delay.max} ms`
    : `${delay.p50} ms in median, ${delay.p99} ms at its 99th percentile`
}
