import { useState } from 'preact/hooks'
import type { FaultDelay, FaultDraft, FaultResponse } from '../../schemas/control/fault.ts'
import { call } from '../api.ts'
import { useAct } from '../hooks.ts'
import { Choice, Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Refusal } from '../parts/state.tsx'
import { toChoices, useOperations } from './operations.ts'

interface Answer {
  label: string
  /** What its value is called, for those that have one. */
  value?: string
  start?: string
  offered?: readonly string[]
  hasRetry?: true
}

const unknown: Answer = { label: '' }
const answers: Readonly<Record<string, Answer>> = {
  status: { label: 'An HTTP status', value: 'Status', start: '503', hasRetry: true },
  fault: {
    label: 'A SOAP fault',
    value: 'Fault',
    start: '301',
    offered: ['301', '300', '10', '15', '-1'],
    hasRetry: true,
  },
  resultCode: {
    label: 'A wallet result code',
    value: 'Result code',
    start: 'CMN4N8003',
    offered: ['CMN4N8003', 'CMN5N9001', 'CMN1N1001', 'CMN1N1002', 'CMN1N1003', 'CMN2N2007'],
    hasRetry: true,
  },
  reset: { label: 'A connection that is reset' },
  timeout: { label: 'No answer at all' },
  cut: { label: 'An answer that is cut off', value: 'After bytes', start: '100' },
  drip: { label: 'An answer that drips', value: 'Bytes a second', start: '100' },
  garbage: { label: 'Garbage' },
  none: { label: 'What it asked for, late' },
}

/** Each with the names of its numbers. */
const delays = [
  ['', 'None', '', ''],
  ['fixed', 'Always as long', 'Delay, ms', ''],
  ['range', 'Between', 'From, ms', 'To, ms'],
  ['percentiles', 'Median and 99th percentile', 'Median, ms', '99th, ms'],
] as const

const start = {
  by: 'operation',
  operation: '30',
  path: '/stg/us/*',
  answer: 'status',
  value: '503',
  code: '',
  retryAfter: '',
  when: 'before',
  delay: '',
  least: '100',
  most: '1000',
  times: '',
  probability: '',
  name: '',
}
type Plan = typeof start

type Set = (part: Partial<Plan>) => void

/** `about` is the operation, or the path, that the form begins with. */
export function NewFault({ about }: { about: string | undefined }) {
  const act = useAct()
  const [plan, setPlan] = useState<Plan>({
    ...start,
    ...(about?.startsWith('/') ? { by: 'path', path: about } : about && { operation: about }),
  })
  const set: Set = (part) => setPlan({ ...plan, ...part })
  return (
    <Form
      label="New fault"
      class="panel row"
      onSubmit={() => void act.run(() => call('POST', 'faults', toDraft(plan)))}
    >
      <Matched plan={plan} set={set} />
      <Answered plan={plan} set={set} />
      <Delayed plan={plan} set={set} />
      <Field label="Times" type="number" value={plan.times} onInput={(times) => set({ times })} placeholder="always" />
      <Field
        label="Probability"
        type="number"
        value={plan.probability}
        onInput={(probability) => set({ probability })}
        placeholder="1"
      />
      <Field label="Name" value={plan.name} onInput={(name) => set({ name })} placeholder="none" />
      <button type="submit" class="primary" aria-disabled={act.busy}>
        Add the fault
      </button>
      <Refusal error={act.error} />
    </Form>
  )
}

function Matched({ plan, set }: { plan: Plan; set: Set }) {
  const operations = useOperations()
  return (
    <>
      <Choice
        label="Requests of"
        value={plan.by}
        onChoose={(by) => set({ by })}
        options={[
          ['operation', 'An operation'],
          ['path', 'A path'],
        ]}
      />
      {plan.by === 'operation' ? (
        <Choice
          label="Which"
          grow
          value={plan.operation}
          onChoose={(operation) => set({ operation })}
          options={operations.length > 0 ? toChoices(operations) : [[plan.operation, plan.operation]]}
        />
      ) : (
        <Field label="Path, * for anything" grow value={plan.path} onInput={(path) => set({ path })} required />
      )}
    </>
  )
}

function Answered({ plan, set }: { plan: Plan; set: Set }) {
  const { value: label, offered, hasRetry } = answers[plan.answer] ?? unknown
  return (
    <>
      <Choice
        label="Get"
        grow
        value={plan.answer}
        onChoose={(answer) => set({ answer, value: answers[answer]?.start ?? '' })}
        options={Object.entries(answers).map(([name, answer]) => [name, answer.label])}
      />
      {label === undefined ? null : offered ? (
        <Choice
          label={label}
          value={plan.value}
          onChoose={(value) => set({ value })}
          options={offered.map((each) => [each, each])}
        />
      ) : (
        <Field label={label} type="number" value={plan.value} onInput={(value) => set({ value })} required />
      )}
      {plan.answer === 'status' ? (
        <Field label="Code" value={plan.code} onInput={(code) => set({ code })} placeholder="by the status" />
      ) : null}
      {hasRetry ? (
        <Field
          label="Retry after, s"
          type="number"
          value={plan.retryAfter}
          onInput={(retryAfter) => set({ retryAfter })}
          placeholder="unsaid"
        />
      ) : null}
      <Choice
        label="When"
        value={plan.when}
        onChoose={(when) => set({ when })}
        options={[
          ['before', 'Before the work'],
          ['after', 'After the work'],
        ]}
      />
    </>
  )
}

function Delayed({ plan, set }: { plan: Plan; set: Set }) {
  const [, , least, most] = delays.find(([name]) => name === plan.delay) ?? delays[0]
  return (
    <>
      <Choice
        label="Delay"
        value={plan.delay}
        onChoose={(delay) => set({ delay })}
        options={delays.map(([name, label]) => [name, label])}
      />
      {least ? (
        <Field label={least} type="number" value={plan.least} onInput={(value) => set({ least: value })} required />
      ) : null}
      {most ? (
        <Field label={most} type="number" value={plan.most} onInput={(value) => set({ most: value })} required />
      ) : null}
    </>
  )
}

function toDraft({ by, operation, path, when, times, probability, name, ...plan }: Plan): FaultDraft {
  const respond = toResponse(plan)
  const delayMs = toDelay(plan)
  return {
    match: by === 'operation' ? { operation: toNumber(operation) } : { path },
    ...(respond && { respond }),
    ...(when === 'after' && { when }),
    ...(delayMs !== undefined && { delayMs }),
    ...(times && { times: Number(times) }),
    ...(probability && { probability: Number(probability) }),
    ...(name && { name }),
  }
}

/** The server judges what people type. */
function toResponse({ answer, value, code, retryAfter }: Pick<Plan, 'answer' | 'value' | 'code' | 'retryAfter'>) {
  if (answer === 'none') return undefined
  const { value: label, hasRetry } = answers[answer] ?? unknown
  return {
    [answer]: label === undefined ? true : toNumber(value),
    ...(answer === 'status' && code && { code }),
    ...(hasRetry && retryAfter && { retryAfter: Number(retryAfter) }),
  } as FaultResponse
}

function toDelay({ delay, least, most }: Pick<Plan, 'delay' | 'least' | 'most'>): FaultDelay | undefined {
  if (delay === 'fixed') return Number(least)
  if (delay === 'range') return { min: Number(least), max: Number(most) }
  return delay === 'percentiles' ? { p50: Number(least), p99: Number(most) } : undefined
}

/** Operations of document 1 and SOAP faults have numbers, others names. */
function toNumber(text: string): number | string {
  return /^-?\d+$/.test(text) ? Number(text) : text
}
