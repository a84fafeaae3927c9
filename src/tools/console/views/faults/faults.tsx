import type { FaultDelay } from '#contract/records/control/fault.ts'
import { api } from '#tools/console/address.ts'
import { useAnswer, useLive } from '#tools/console/live.ts'
import { Ask, Badge, Button, Empty } from '#tools/console/parts/basics.tsx'
import { Table } from '#tools/console/parts/table.tsx'
import { count, shorten, toLine } from '#tools/console/text.ts'
import type { Fault } from '#tools/client/types.ts'
import { answers, delays, type FaultPlan, previewOf, start, statuses, toDraft, toFixedResponse } from './fault-plan.ts'
import { type Operation, toChoices, useOperations } from '../requests/operations.ts'
import { Choice, Field, Form, usePlan } from '#tools/console/parts/form.tsx'
import { Code } from '#tools/console/parts/code.tsx'

const presets = [
  ['flaky', 'Flaky', 'Resets 1 of 20 requests and rejects 1 of 10 with Retry-After'],
  ['slow', 'Slow', 'Delays responses by a median of 300 ms and a 99th percentile of 2 s'],
  ['brownout', 'Brownout', 'Rejects 3 of 10 requests'],
  ['lost-answers', 'Lost answers', 'Performs 1 of 5 writes and resets the connection instead of responding'],
  [
    'gateway',
    'Gateway',
    'Responds to 1 of 5 requests with an HTML page (status 502, 503 or 504), a redirect to a login page, or a ' +
      'login page with status 200',
  ],
  ['maintenance', 'Maintenance', 'Responds to every request with an HTML page, status 503 and Retry-After: 120'],
] as const

/** `id` is the operation or path of the new fault. By default, it is that of the request that was opened last. */
export function Faults({ id }: { id: string | undefined }) {
  const opened = useLive(({ operation }) => operation)
  const faults = useAnswer('faults', api.faults.list)
  const operations = useOperations()
  return (
    <section>
      <div class="title-row">
        <h1>Faults</h1>
        <Ask
          label="Remove all faults"
          question="Remove all faults?"
          done="Removed all faults"
          off={!faults.data?.totalCount}
          onYes={api.faults.clear}
        />
      </div>
      <NewFault key={id} about={id ?? opened} operations={operations} />
      <div class="buttons" role="group" aria-label="Presets">
        <span class="hint">Presets for all requests:</span>
        {presets.map(([name, label, effect]) => (
          <Button key={name} title={effect} done={`Added ${label}: ${effect}`} onClick={() => api.faults.profile(name)}>
            {label}
          </Button>
        ))}
      </div>
      <Table
        label="Faults"
        noun="fault"
        of={faults}
        columns={[
          { title: 'Requests', value: (fault) => toTarget(fault, operations) },
          {
            title: 'Effect',
            value: toEffect,
            cell: (fault) => (
              <>
                {fault.hits >= (fault.times ?? Infinity) ? <Badge>used up</Badge> : null} {toEffect(fault)}
              </>
            ),
          },
          { title: 'ID', width: '9rem', value: ({ faultId }) => faultId, minor: true },
          {
            title: 'Hits',
            width: '5rem',
            value: ({ hits }) => hits,
            cell: ({ hits }) => <Badge tone={hits > 0 ? 'warn' : 'plain'}>{count(hits, 'hit')}</Badge>,
          },
        ]}
        ask={(fault) => ({
          label: 'Remove fault',
          question: 'Remove this fault?',
          done: `Removed the fault for ${toTarget(fault, operations)}`,
          onYes: () => api.faults.remove(fault.faultId),
        })}
        keyOf={({ faultId }) => faultId}
        wraps
        placeholder="operation, path, effect, ID"
        empty={
          <Empty title="There are no faults.">
            <p>
              A fault returns an error in the format of the API (an error body, a SOAP fault or a result code), or
              resets the connection.
            </p>
          </Empty>
        }
      />
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
  const answer = Object.entries(respond ?? {}).map(([form, value]) => {
    const label = form === 'status' ? 'status' : (answers[form]?.label ?? form)
    return [label, value === true ? '' : shorten(toLine(value), 80)].join(' ').trim()
  })
  return [
    ...answer,
    when === 'after' ? 'performs the operation first' : '',
    delayMs !== undefined && `delayed by ${toDelay(delayMs)}`,
    times === undefined ? 'every time' : `at most ${count(times, 'time')}`,
    probability !== undefined && `with probability ${probability}`,
    from !== undefined && `from ${from}`,
    until !== undefined && `until ${until}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function toDelay(delay: FaultDelay): string {
  if (typeof delay === 'number') return `${delay} ms`
  return 'min' in delay
    ? `${delay.min} to ${delay.max} ms`
    : `${delay.p50} ms in median, ${delay.p99} ms at its 99th percentile`
}

/** Reads like a sentence: "When [operation] is called, respond with [503] [next time only]". */
function NewFault({ about, operations }: { about: string | undefined; operations: readonly Operation[] }) {
  const { plan, set, bind } = usePlan<FaultPlan>({
    ...start,
    ...(about?.startsWith('/') ? { operation: 'path', path: about } : about && { operation: about }),
  })
  const { answer, value, times } = plan
  const { value: label, offered, hasRetry } = answers[answer]!
  const [, , least, most] = delays.find(([name]) => name === plan.delay) ?? delays[0]
  const known = operations.length > 0 ? toChoices(operations) : [[plan.operation, plan.operation] as const]
  const isCommon = answer === 'status' && statuses.some((each) => each === value)
  const choose = (chosen: string) =>
    set(
      /^\d+$/.test(chosen)
        ? { answer: 'status', value: chosen }
        : { answer: chosen, value: answers[chosen]?.start ?? '' },
    )
  return (
    <Form
      label="New fault"
      class="panel row sentence"
      submit="Add fault"
      done="Added the fault"
      onSubmit={() => api.faults.add(toDraft(plan))}
      below={
        <div class="column">
          {answer === 'given' ? <FixedResponseFields plan={plan} bind={bind} /> : null}
          <details>
            <summary>More</summary>
            <div class="row">
              <Choice label="When" {...bind('when')} options={moments} />
              <Choice label="Delay" {...bind('delay')} options={delays} />
              {least ? <Field label={least} type="number" {...bind('least')} required /> : null}
              {most ? <Field label={most} type="number" {...bind('most')} required /> : null}
              <Field label="Times" type="number" {...bind('times')} placeholder="every time" />
              <Field label="Probability" type="number" {...bind('probability')} placeholder="1" />
              {answer === 'status' ? <Field label="Code" {...bind('code')} placeholder="by status" /> : null}
              {hasRetry ? (
                <Field label="Retry after, s" type="number" {...bind('retryAfter')} placeholder="not sent" />
              ) : null}
              <Field label="From, world time" {...bind('from')} placeholder="2026-05-08T00:00:00Z" />
              <Field label="Until" {...bind('until')} placeholder="unlimited" />
              <Field label="Name" {...bind('name')} placeholder="none" />
            </div>
          </details>
        </div>
      }
    >
      <span>When</span>
      <Choice label="Operation" {...bind('operation')} grow options={[...known, ['path', 'a path…']]} />
      {plan.operation === 'path' ? <Field label="Path, * for anything" grow {...bind('path')} required /> : null}
      <span>is called, respond with</span>
      <Choice
        label="Response"
        value={isCommon ? value : answer}
        onInput={choose}
        options={[
          ...statuses.map((each) => [each, each] as const),
          ...Object.entries(answers).map(([name, each]) => [name, each.label] as const),
        ]}
      />
      {label === undefined || isCommon ? null : offered ? (
        <Choice label={label} {...bind('value')} name={answer} options={offered.map((each) => [each, each])} />
      ) : (
        <Field label={label} type="number" {...bind('value')} name={answer} required />
      )}
      <Choice label="How often" {...bind('times')} options={frequencies(times)} />
    </Form>
  )
}

/** Users can enter any other number of times under More. */
function frequencies(times: string) {
  const common = [
    ['1', 'next time only'],
    ['3', 'next 3 times'],
    ['', 'every time'],
  ] as const
  return common.some(([each]) => each === times) ? common : [...common, [times, `next ${times} times`] as const]
}

const moments = [
  ['before', 'Before it runs'],
  ['after', 'After it runs'],
] as const

function FixedResponseFields({ plan, bind }: Omit<ReturnType<typeof usePlan<FaultPlan>>, 'set'>) {
  return (
    <>
      <Field label="Status" type="number" {...bind('value')} name="status" required />
      <Field label="Headers, one per line" {...bind('headers')} rows={3} />
      <Field
        label="Body, sent unchanged (if there is no body and the status is below 400, the operation is performed)"
        {...bind('body')}
        rows={5}
      />
      <Code value={previewOf(toFixedResponse(plan), plan.name)} label="What a client receives" />
    </>
  )
}
