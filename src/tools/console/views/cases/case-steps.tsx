import { useEffect } from 'preact/hooks'
import type { CaseStep } from '../../../../contract/records/control/case.ts'
import { kindOf, nameOf } from '../../cases/case-text.ts'
import type { Replay } from '../../cases/replay.ts'
import { Row } from '../../parts/list.tsx'
import { Pager, usePages } from '../../parts/pager.tsx'
import { Badge } from '../../parts/state.tsx'
import { linkTo } from '../../route.ts'
import { toDay, toTime } from '../../text.ts'
import { toneOf } from '../requests/request-list.tsx'

const PAGE = 50

interface Props {
  steps: readonly CaseStep[]
  replay: Replay | undefined
  openedStep: number | undefined
}

export function CaseSteps({ steps, replay, openedStep }: Props) {
  const pages = usePages(steps, PAGE)
  const position = replay?.position ?? 0
  useEffect(() => {
    if (position > 0) pages.move(Math.floor((position - 1) / PAGE) * PAGE)
  }, [position])
  return (
    <>
      <ul class="entries steps" aria-label="Steps">
        {pages.shown.map((step, i) => {
          const day = toDay(step.at)
          const before = pages.shown[i - 1]
          const differences = replay?.differences.get(step.step)
          return (
            <Row
              key={step.step}
              href={linkTo('cases', step.step)}
              opened={step.step === openedStep}
              class={step.step === position ? 'reached' : ''}
            >
              <time dateTime={step.at}>
                {before && toDay(before.at) === day ? null : <small>{day} </small>}
                {toTime(step.at)}
              </time>
              <span class="method">{kindOf(step)}</span>
              <span class="path">{nameOf(step)}</span>
              {'reply' in step ? (
                <Badge tone={toneOf(step.reply.status)}>{step.reply.status ?? 'none'}</Badge>
              ) : (
                <span />
              )}
              <Outcome differs={differences && differences.length > 0} />
            </Row>
          )
        })}
      </ul>
      <Pager {...pages} />
    </>
  )
}

export function Outcome({ differs }: { differs: boolean | undefined }) {
  if (differs === undefined) return <span />
  return <Badge tone={differs ? 'bad' : 'good'}>{differs ? 'differs' : 'the same'}</Badge>
}
