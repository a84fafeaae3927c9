import { api } from '../../address.ts'
import { Choice, Field } from '../../parts/field.tsx'
import { Form, usePlan, TextArea } from '../../parts/form.tsx'
import { answers, delays, type FaultPlan, start, toDraft } from './fault-plan.ts'
import { toChoices, useOperations } from '../requests/operations.ts'
import { Code } from '../../parts/code.tsx'
import { previewOf, toGivenReply } from './given-reply.ts'

interface PartProps {
  plan: FaultPlan
  bind(name: keyof FaultPlan): { value: string; onInput(value: string): void }
}

/** `about` is the operation or path that the form begins with. */
export function NewFault({ about }: { about: string | undefined }) {
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

function GivenReplyFields({ plan, bind }: { plan: FaultPlan; bind: BindText }) {
  return (
    <>
      <Field label="Status" type="number" {...bind('value')} required />
      <TextArea label="Headers, one a line" {...bind('headers')} rows={3} optional />
      <TextArea label="Body, word for word; none: the work is done below 400" {...bind('body')} rows={5} optional />
      <Code value={previewOf(toGivenReply(plan), plan.name)} label="What a client gets" />
    </>
  )
}

type BindText = (name: keyof FaultPlan) => { value: string; onInput(value: string): void }
