import type { FaultDelay } from '#contract/records/control/fault.ts'
import { api } from '#tools/console/address.ts'
import { useAct, useAnswer } from '#tools/console/hooks.ts'
import { Ask, Button } from '#tools/console/parts/button.tsx'
import { Item, List } from '#tools/console/parts/list.tsx'
import { Badge, Empty, Refusal } from '#tools/console/parts/state.tsx'
import { count } from '#tools/console/text.ts'
import type { Fault } from '#tools/console/types.ts'
import { answers, delays, type FaultPlan, previewOf, start, toDraft, toGivenReply } from './fault-plan.ts'
import { type Operation, toChoices, useOperations } from '../requests/operations.ts'
import { Choice, Field } from '#tools/console/parts/field.tsx'
import { Form, TextArea, usePlan } from '#tools/console/parts/form.tsx'
import { Code } from '#tools/console/parts/code.tsx'

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

interface PartProps {
  plan: FaultPlan
  bind(name: keyof FaultPlan): { value: string; onInput(value: string): void }
}

/** `about` is the operation or path that the form begins with. */
function NewFault({ about }: { about: string | undefined }) {
  const { plan, set, bind } = usePlan<FaultPlan>({
    ...start,
    ...(about?.startsWith('/') ? { by: 'path', path: about } : about && { operation: about }),
  })
  const choose = (answer: string) => set({ answer, value: answers[answer]?.start ?? '' })
  return (
    <Form label="New fault" class="panel row" submit="Add the fault" onSubmit={() => api.faults.add(toDraft(plan))}>
      <Matched plan={plan} bind={bind} />
      <Answered plan={plan} bind={bind} choose={choose} />
      <Delayed plan={plan} bind={bind} />
      <Field label="Times" type="number" {...bind('times')} placeholder="always" />
      <Field label="Probability" type="number" {...bind('probability')} placeholder="1" />
      <Field label="From, world time" {...bind('from')} placeholder="2026-05-08T00:00:00Z" />
      <Field label="Until" {...bind('until')} placeholder="for ever" />
      <Field label="Name" {...bind('name')} placeholder="none" />
    </Form>
  )
}

function Matched({ plan, bind }: PartProps) {
  const operations = useOperations()
  const choices = operations.length > 0 ? toChoices(operations) : [[plan.operation, plan.operation] as const]
  return (
    <>
      <Choice label="Requests of" {...bind('by')} options={targets} />
      {plan.by === 'operation' ? (
        <Choice label="Which" grow {...bind('operation')} options={choices} />
      ) : (
        <Field label="Path, * for anything" grow {...bind('path')} required />
      )}
    </>
  )
}

const targets = [
  ['operation', 'An operation'],
  ['path', 'A path'],
] as const
const times = [
  ['before', 'Before the work'],
  ['after', 'After the work'],
] as const

function Answered({ plan, bind, choose }: PartProps & { choose(answer: string): void }) {
  const { value: label, offered, hasRetry } = answers[plan.answer]!
  return (
    <>
      <Choice
        label="Get"
        grow
        value={plan.answer}
        onInput={choose}
        options={Object.entries(answers).map(([name, answer]) => [name, answer.label])}
      />
      {label === undefined ? null : offered ? (
        <Choice label={label} {...bind('value')} options={offered.map((each) => [each, each])} />
      ) : (
        <Field label={label} type="number" {...bind('value')} required />
      )}
      {plan.answer === 'given' ? <GivenReplyFields plan={plan} bind={bind} /> : null}
      {plan.answer === 'status' ? <Field label="Code" {...bind('code')} placeholder="by the status" /> : null}
      {hasRetry ? <Field label="Retry after, s" type="number" {...bind('retryAfter')} placeholder="not sent" /> : null}
      <Choice label="When" {...bind('when')} options={times} />
    </>
  )
}

function Delayed({ plan, bind }: PartProps) {
  const [, , least, most] = delays.find(([name]) => name === plan.delay) ?? delays[0]
  return (
    <>
      <Choice label="Delay" {...bind('delay')} options={delays} />
      {least ? <Field label={least} type="number" {...bind('least')} required /> : null}
      {most ? <Field label={most} type="number" {...bind('most')} required /> : null}
    </>
  )
}

function GivenReplyFields({ plan, bind }: PartProps) {
  return (
    <>
      <Field label="Status" type="number" {...bind('value')} required />
      <TextArea label="Headers, one a line" {...bind('headers')} rows={3} optional />
      <TextArea label="Body, word for word; none: the work is done below 400" {...bind('body')} rows={5} optional />
      <Code value={previewOf(toGivenReply(plan), plan.name)} label="What a client gets" />
    </>
  )
}
