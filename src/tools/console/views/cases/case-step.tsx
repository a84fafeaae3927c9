import type { Difference } from '../../../cases/structural-diff.ts'
import type { CaseStep } from '../../../../contract/records/control/case.ts'
import { nameOf } from '../../cases/case-text.ts'
import { Button } from '../../parts/button.tsx'
import { Code } from '../../parts/code.tsx'
import { Facts } from '../../parts/field.tsx'
import { Detail } from '../../parts/split.tsx'
import { linkTo } from '../../route.ts'
import { toLine, toSecond } from '../../text.ts'
import { Outcome } from './case-steps.tsx'

interface Props {
  step: CaseStep
  /** None of a step that was not replayed. */
  differences: readonly Difference[] | undefined
  busy: boolean
  onRun(): void
  onFork(): void
}

export function CaseStepEntry({ step, differences, busy, onRun, onFork }: Props) {
  return (
    <Detail label="Step" back={linkTo('cases')}>
      <h2 class="address">{nameOf(step)}</h2>
      <Facts>
        {[
          ['Step', String(step.step)],
          ['At', `${toSecond(step.at)} UTC`],
          ['Replayed', differences ? <Outcome differs={differences.length > 0} /> : 'not yet'],
        ]}
      </Facts>
      <div class="buttons">
        <Button off={busy} onClick={onRun}>
          Replay to here
        </Button>
        <Button off={busy} onClick={onFork}>
          Fork behind it
        </Button>
      </div>
      {differences && differences.length > 0 ? <Differences differences={differences} /> : null}
      <Recorded step={step} />
    </Detail>
  )
}

function Differences({ differences }: { differences: readonly Difference[] }) {
  return (
    <section class="why" aria-label="Differences">
      <h3>Here it differs</h3>
      <ul class="findings">
        {differences.map(({ path, kind, recorded, actual }) => (
          <li key={path}>
            <p>
              <code>{path}</code> ({kind})
            </p>
            <p>recorded: {toLine(recorded) ?? 'nothing'}</p>
            <p>here: {toLine(actual) ?? 'nothing'}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Recorded({ step }: { step: CaseStep }) {
  if ('frame' in step) return <Code value={step.frame} label="Frame" />
  if ('mail' in step) return <Code value={step.mail} label="Mail" />
  if ('closed' in step) return <Code value={step.closed} label="Stream" />
  const { headers, body } = 'call' in step ? step.call : step.control
  return (
    <>
      <h3>Request</h3>
      <Code value={headers} label="Request: headers" />
      {body === undefined ? null : <Code value={readable(body)} label="Request: body" />}
      <h3>Recorded reply</h3>
      <Code value={readable(step.reply.body ?? 'nothing')} label="Reply: body" />
    </>
  )
}

function readable(body: unknown): unknown {
  try {
    return JSON.parse(String(body)) as unknown
  } catch {
    return body
  }
}
