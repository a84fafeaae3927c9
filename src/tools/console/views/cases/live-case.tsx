import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { type CaseView, type PlayedStep, toCaseView } from '../../../cases/view/case-view.ts'
import { callOf } from '../../../cases/view/step-view.ts'
import { world } from '../../address.ts'
import { CaseFrame } from '../../case-view/case-frame.tsx'
import { StepEntry } from '../../case-view/step-entry.tsx'
import { readCase } from '../../cases/case-text.ts'
import { useLive } from '../../live.ts'
import { Button } from '../../parts/button.tsx'
import { Split } from '../../parts/split.tsx'
import { linkTo } from '../../route.ts'
import type { Entry } from '../../types.ts'
import { RecordedMoments } from './moments.tsx'
import { RecordingPanel, useRecording } from './recording.tsx'

interface Props {
  id: string | undefined
  actions: ComponentChildren
  children: ComponentChildren
}

export function LiveCase({ id, actions, children }: Props) {
  const recording = useRecording({ follow: true })
  const { text, isLong } = recording
  const entries = useLive((live) => live.entries)
  const recorded = useMemo(() => (text === undefined ? undefined : toCaseView(readCase(text))), [text])
  const view = recorded && { ...recorded, played: findReasons(recorded, entries) }
  const step = view?.steps.find((each) => String(each.step) === id)
  const back = linkTo('cases')
  return (
    <Split
      title={view ? `Recording of ${world}` : 'Cases'}
      actions={actions}
      opened={view && step ? <StepEntry key={id} view={view} step={step} back={back} /> : null}
    >
      <RecordingPanel {...recording} />
      {view ? <RecordedMoments step={step?.step} steps={view.steps.length} /> : null}
      {isLong ? <Button onClick={recording.readAgain}>Show what has happened since</Button> : null}
      {view ? <CaseFrame view={view} opened={step?.step} hrefOf={(each) => linkTo('cases', each)} /> : children}
    </Split>
  )
}

/** The journal knows the rules of all documents, while replies tell only those of documents 1 and 2a. */
function findReasons({ steps }: CaseView, entries: readonly Entry[]): Record<string, PlayedStep> {
  const reasons = new Map(entries.flatMap(({ requestId, why }) => (requestId && why ? [[requestId, why]] : [])))
  const played: Record<string, PlayedStep> = {}
  for (const step of reasons.size > 0 ? steps : []) {
    const why = reasons.get(String(callOf(step)?.headers['x-request-id']))
    if (why) played[step.step] = { why }
  }
  return played
}
