import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { CaseView, Reason } from '#tools/cases/view/case-view.ts'
import { kindOf, type Lane, lanes, lanesOf, nameOf, readRefusal, sourceOf } from '#tools/cases/view/step-view.ts'
import { toLinePart } from '#tools/client/printable.ts'
import type { CaseStep } from '#contract/files/case.ts'
import { Badge, Button, Day } from '../parts/basics.tsx'
import { count, newDay, toneOf, toSpan, toTime } from '../text.ts'

const PAGE = 300
/** Maximum number of characters in a row, because no screen shows more. */
const LONGEST = 300
/** Milliseconds. A pause between two steps is displayed only if it is longer than this. */
const GAP = 60_000

export interface StepsProps {
  view: CaseView
  steps: readonly CaseStep[]
  opened: number | undefined
  hrefOf(step: number): string
  reached?: number | undefined
  remark?(step: CaseStep): ComponentChildren
}

export function CaseSteps({ view, steps, opened, hrefOf, reached, remark }: StepsProps) {
  const total = steps.length
  const [asked, move] = useState(0)
  // A search may leave so few steps that the requested offset is past the end.
  const offset = asked < total ? asked : 0
  const shown = steps.slice(offset, offset + PAGE)
  const wanted = reached ?? opened
  useEffect(() => {
    const at = steps.findIndex(({ step }) => step === wanted)
    if (at >= 0) move(Math.floor(at / PAGE) * PAGE)
  }, [wanted])
  return (
    <>
      <p class="lane-names" aria-hidden="true">
        {lanes.map((lane) => (
          <span key={lane}>{titles[lane]}</span>
        ))}
      </p>
      <ul class="lanes" aria-label="Steps">
        {shown.map((step, i) => (
          <li key={step.step}>
            <Time at={step.at} before={shown[i - 1]?.at} />
            <a
              href={hrefOf(step.step)}
              class={step.step === reached ? 'reached' : ''}
              aria-current={step.step === opened ? 'true' : undefined}
              data-step={step.step}
            >
              <Row step={step} view={view} remark={remark?.(step)} />
            </a>
          </li>
        ))}
      </ul>
      {total > PAGE ? (
        <div class="buttons" role="group" aria-label="Pages">
          <Button off={offset === 0} onClick={() => move(offset - PAGE)}>
            Previous
          </Button>
          <span class="hint">
            {offset + 1} to {offset + shown.length} of {total.toLocaleString('en-US')}
          </span>
          <Button off={offset + PAGE >= total} onClick={() => move(offset + PAGE)}>
            Next
          </Button>
        </div>
      ) : null}
    </>
  )
}

export const titles: Readonly<Record<Lane, string>> = {
  client: 'Client',
  vendor: 'Vendor',
  stream: 'Stream',
  mail: 'Mail',
}

function Time({ at, before }: { at: string; before: string | undefined }) {
  const passed = before === undefined ? 0 : Date.parse(at) - Date.parse(before)
  return (
    <>
      {passed >= GAP ? <p class="day">{toSpan(passed)} later</p> : null}
      <Day title={newDay(at, before)} />
    </>
  )
}

function Row({ step, view, remark }: { step: CaseStep; view: CaseView; remark: ComponentChildren }) {
  const kind = kindOf(step)
  const [from, to] = lanesOf(step)
  const why = whyOf(view, step)
  const source = why && sourceOf(why)
  const { changes = [], moreChanges = 0, differs } = view.played[step.step] ?? {}
  const changed = changes.length + moreChanges
  const status = 'reply' in step ? step.reply.status : undefined
  return (
    <>
      <small>{step.step}</small>
      <time dateTime={step.at}>{toTime(step.at)}</time>
      <Rails from={from} to={to} color={why ? 'var(--danger)' : colors[kind]} />
      <span class="method">{kind}</span>
      <span class="what">
        <span class="mono">{toLinePart(nameOf(step).slice(0, LONGEST))}</span>
        {why ? (
          <small>
            {toLinePart(`${why.code}: ${(why.findings[0] ?? why).message}`.slice(0, LONGEST))}
            {source === undefined ? '' : ` (${toLinePart(source.slice(0, LONGEST))})`}
          </small>
        ) : null}
        {view.other?.step === step.step ? <Badge tone="bad">the other case differs</Badge> : null}
        {differs ? <Badge tone="bad">the replay differs</Badge> : null}
      </span>
      {'reply' in step ? <Badge tone={toneOf(status)}>{status ?? 'none'}</Badge> : <span />}
      <span class="remark">{remark ?? (changed > 0 ? <small>{count(changed, 'change')}</small> : null)}</span>
    </>
  )
}

const colors = {
  call: 'var(--primary)',
  frame: 'var(--calm)',
  closed: 'var(--calm)',
  mail: 'var(--success)',
  control: 'var(--input)',
  clock: 'var(--input)',
} as const

const middleOf = (lane: Lane) => `${lanes.indexOf(lane) * 25 + 12.5}%`

function Rails({ from, to, color }: { from: Lane; to: Lane; color: string }) {
  return (
    <svg class="rails" stroke="var(--border)" aria-hidden="true">
      {lanes.map((lane) => (
        <line key={lane} x1={middleOf(lane)} x2={middleOf(lane)} y2="100%" />
      ))}
      <g fill={color} stroke={color} stroke-width="2">
        {from === to ? (
          <circle cx={middleOf(to)} cy="50%" r="4" />
        ) : (
          <>
            <line x1={middleOf(from)} x2={middleOf(to)} y1="50%" y2="50%" />
            <svg x={middleOf(to)} y="50%" overflow="visible" aria-hidden="true">
              <path d="M-7-4 0 0l-7 4z" />
            </svg>
          </>
        )}
      </g>
    </svg>
  )
}

/** Only a replay can determine every reason. Without a replay, the reason is read from the response. */
export function whyOf({ played }: CaseView, step: CaseStep): Reason | undefined {
  return (Object.hasOwn(played, step.step) ? played[step.step]?.why : undefined) ?? readRefusal(step)
}
