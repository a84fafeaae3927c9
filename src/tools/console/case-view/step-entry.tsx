import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { CaseStep } from '#contract/files/case.ts'
import type { CaseView } from '#tools/cases/view/case-view.ts'
import { callOf, kindOf, lanesOf, nameOf } from '#tools/cases/view/step-view.ts'
import { toCurl } from '#tools/cases/view/curl-script.ts'
import { toLinePart, toPrintable } from '#tools/client/printable.ts'
import { Badge, Button, Why } from '../parts/basics.tsx'
import { Code, CopyButton } from '../parts/code.tsx'
import { Facts } from '../parts/form.tsx'
import { Detail } from '../parts/split.tsx'
import { toLines, toneOf, toSecond } from '../text.ts'
import { titles, whyOf } from './case-steps.tsx'
import { Changes, Differences } from './step-changes.tsx'

/** Maximum lengths in characters. Longer headings are truncated. Longer texts are shown in full only on request. */
const LONGEST_NAME = 500
const LONGEST_TEXT = 50_000

interface Props {
  view: CaseView
  step: CaseStep
  back: string
  children?: ComponentChildren
}

export function StepEntry({ view, step, back, children }: Props) {
  const { changes = [], moreChanges = 0, differs } = view.played[step.step] ?? {}
  const why = whyOf(view, step)
  const [from, to] = lanesOf(step)
  const { other } = view
  const reply = 'reply' in step ? step.reply : undefined
  return (
    <Detail label="Step" back={back}>
      <h2 class="mono" tabIndex={-1}>
        {toLinePart(nameOf(step).slice(0, LONGEST_NAME))}
      </h2>
      <Facts>
        {[
          ['Step', `${step.step} of ${view.steps.length}: ${kindOf(step)}`],
          ['At', `${toSecond(step.at)} UTC`],
          ['Direction', from === to ? `at the ${from}` : `${titles[from]} to ${titles[to].toLowerCase()}`],
          ['Status', reply && <Badge tone={toneOf(reply.status)}>{reply.status ?? 'no response'}</Badge>],
        ]}
      </Facts>
      {children}
      {why ? <Why why={why} /> : null}
      {other?.step === step.step ? (
        <Differences title={`${other.name} differs here`} differences={other.differences} names={['this', 'other']} />
      ) : null}
      {differs ? (
        <Differences
          title="The replay of this step had a different result"
          differences={differs}
          names={['recorded', 'again']}
        />
      ) : null}
      <Changes changes={changes} more={moreChanges} />
      <Recorded step={step} />
    </Detail>
  )
}

function Recorded({ step }: { step: CaseStep }) {
  if ('frame' in step) return <Text value={step.frame} label="Frame" />
  if ('mail' in step) return <Text value={step.mail} label="Mail" />
  const call = callOf(step)
  if (!call || !('reply' in step)) return null
  const curl = toCurl(step) ?? ''
  return (
    <>
      <h3>Request</h3>
      <Text value={call.headers} label="Request: headers" />
      {call.body === undefined ? null : <Text value={readable(call.body)} label="Request: body" />}
      <h3>Response</h3>
      {step.reply.headers ? <Text value={step.reply.headers} label="Response: headers" /> : null}
      <Text value={readable(step.reply.body ?? 'nothing')} label="Response: body" />
      <div class="title-row">
        <h3>As curl</h3>
        <CopyButton text={curl} label="Copy as curl" />
      </div>
      <Text value={curl} label="As curl" />
    </>
  )
}

/** Shows control characters as numeric codes. Shows a very long text in full only on request. */
function Text({ value, label }: { value: unknown; label: string }) {
  const [whole, setWhole] = useState(false)
  const text = toPrintable(toLines(value))
  const isCut = text.length > LONGEST_TEXT && !whole
  return (
    <>
      <Code value={isCut ? `${text.slice(0, LONGEST_TEXT)}…` : text} label={label} />
      {isCut ? (
        <Button onClick={() => setWhole(true)}>Show all {text.length.toLocaleString('en-US')} characters</Button>
      ) : null}
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
