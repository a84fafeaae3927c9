import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { type CaseView, type PlayedStep, type RecordChange, toCaseView } from '#tools/cases/view/case-view.ts'
import { callOf } from '#tools/cases/view/step-view.ts'
import { api, consoleOf, world } from '#tools/console/address.ts'
import { CaseFrame } from '#tools/console/case-view/case-frame.tsx'
import { ChangeList } from '#tools/console/case-view/step-changes.tsx'
import { StepEntry } from '#tools/console/case-view/step-entry.tsx'
import { readCase } from '#tools/console/cases/case-text.ts'
import { useLive } from '#tools/console/live.ts'
import { Button } from '#tools/console/parts/basics.tsx'
import { Split } from '#tools/console/parts/split.tsx'
import { linkTo } from '#tools/console/route.ts'
import type { JournalEntry as Entry } from '#contract/records/control/journal.ts'
import type { Reply } from '#contract/control/calls.ts'
import { RecordingPanel, useRecording } from './recording.tsx'
import { Field, usePlan } from '#tools/console/parts/form.tsx'
import { count, shorten } from '#tools/console/text.ts'

interface Props {
  id: string | undefined
  actions: ComponentChildren
  children: ComponentChildren
}

export function LiveCase({ id, actions, children }: Props) {
  const recording = useRecording()
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
      <RecordingPanel {...recording} about={view?.about} />
      {view ? <HistoryPoints step={step?.step} steps={view.steps.length} /> : null}
      {isLong ? <Button onClick={recording.readAgain}>Show newer steps</Button> : null}
      {view ? <CaseFrame view={view} opened={step?.step} hrefOf={(each) => linkTo('cases', each)} /> : children}
    </Split>
  )
}

/** The journal contains the violated rules of all documents. Responses contain only those of documents 1 and 2a. */
function findReasons({ steps }: CaseView, entries: readonly Entry[]): Record<string, PlayedStep> {
  const reasons = new Map(entries.flatMap(({ requestId, why }) => (requestId && why ? [[requestId, why]] : [])))
  const played: Record<string, PlayedStep> = {}
  for (const step of reasons.size > 0 ? steps : []) {
    const why = reasons.get(String(callOf(step)?.headers['x-request-id']))
    if (why) played[step.step] = { why }
  }
  return played
}

type Diff = Reply<'diffWorlds'>

/** The user can continue from an earlier state or compare that state. A click on a step selects the state after it. */
function HistoryPoints({ step, steps }: { step: number | undefined; steps: number }) {
  const { plan, set, bind } = usePlan({ from: '1', to: '', other: '' })
  const { from, to, other } = plan
  const [diff, setDiff] = useState<Diff | undefined>()
  useEffect(() => {
    if (step !== undefined) set({ from: String(step) })
  }, [step])
  const rewind = async () => location.assign(consoleOf((await api.rewind(Number(from))).name))
  const compare = async () => {
    setDiff(undefined)
    setDiff(await api.diff(other || world, { at: from, ...(to && { withAt: to }) }))
  }
  return (
    <section class="panel" aria-label="Points">
      <div class="row">
        <Field label="From step" type="number" {...bind('from')} />
        <Field label="To step" type="number" {...bind('to')} placeholder={`now: ${steps}`} />
        <Field label="Compare with world" {...bind('other')} placeholder={world} />
        <Button class="primary" off={from === ''} onClick={rewind}>
          Rewind
        </Button>
        <Button off={from === ''} onClick={compare}>
          Compare
        </Button>
      </div>
      <p class="hint">
        Rewind creates a world in the state after “From step”, with a paused clock. Compare shows what changed between
        “From step” and “To step”, or until now if “To step” is empty.
      </p>
      {diff ? <Changes diff={diff} /> : null}
    </section>
  )
}

/** Maximum number of rows. Any further rows are counted but not shown. */
const MOST = 200

function Changes({ diff: { same, added, removed, changed, counts } }: { diff: Diff }) {
  const rows: RecordChange[] = [
    ...removed.map(({ record, ...about }) => ({ ...about, kind: 'removed' as const, record: toText(record) })),
    ...added.map(({ record, ...about }) => ({ ...about, kind: 'added' as const, record: toText(record) })),
    ...changed.map(({ fields, ...about }) => ({
      ...about,
      kind: 'changed' as const,
      fields: fields
        .slice(0, MOST)
        .map(({ path, before, after }) => ({ path, before: toText(before), after: toText(after) })),
    })),
  ]
  const total = counts.added + counts.removed + counts.changed
  return (
    <section aria-label="Changes">
      <p role="status">{same ? 'All records are unchanged.' : `${count(total, 'record')} changed.`}</p>
      <ChangeList changes={rows.slice(0, MOST)} />
    </section>
  )
}

const LONGEST = 500

function toText(value: unknown): string {
  return shorten(JSON.stringify(value) ?? 'nothing', LONGEST)
}
