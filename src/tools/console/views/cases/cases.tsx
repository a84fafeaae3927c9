import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Case } from '#contract/files/case.ts'
import { toCaseView } from '#tools/cases/view/case-view.ts'
import type { Difference } from '#tools/cases/structural-diff.ts'
import { consoleOf } from '#tools/console/address.ts'
import { CaseFrame } from '#tools/console/case-view/case-frame.tsx'
import { Differences } from '#tools/console/case-view/step-changes.tsx'
import { StepEntry } from '#tools/console/case-view/step-entry.tsx'
import { hasBeginning, readCase } from '#tools/console/cases/case-text.ts'
import { Replay } from '#tools/console/cases/replay.ts'
import { change, useAct, useAnswer, useLive } from '#tools/console/live.ts'
import { Badge, Button, Empty, Refusal } from '#tools/console/parts/basics.tsx'
import { Facts, FileButton } from '#tools/console/parts/form.tsx'
import { Split } from '#tools/console/parts/split.tsx'
import { linkTo } from '#tools/console/route.ts'
import { count, toSecond } from '#tools/console/text.ts'
import { Comparison } from './comparison.tsx'
import { LiveCase } from './live-case.tsx'
import type { ComparisonReport } from '#contract/records/control/comparison.ts'
import { findJson } from '#contract/records/decoded-text.ts'

const hrefOf = (step: number) => linkTo('cases', step)

export function Cases({ id }: { id: string | undefined }) {
  const file = useLive((live) => live.file)
  const about = file && `${file.name} ${file.lastModified} ${file.size}`
  const { data, error } = useAnswer(about, async () => readFile(await file!.text()), { once: true })
  if (data && 'comparison' in data)
    return <Comparison report={data} actions={<OpenedButtons close="Close the report" />} />
  return data && file ? (
    <OpenedCase key={about} file={data} name={file.name} id={id} />
  ) : (
    <LiveCase id={id} actions={<CaseButton />}>
      <Refusal error={error} />
      <Empty title="No case is open.">
        <p>
          Drop a case file on this page, or open one. You can replay its calls, clock changes and stream frames step by
          step. The page also shows a report of <code>vendor-cloud compare --format json</code>.
        </p>
      </Empty>
    </LiveCase>
  )
}

const readFile = (text: string) => findComparison(text) ?? readCase(text)

function CaseButton() {
  const types = '.jsonl,.json,application/jsonl,application/json'
  return <FileButton label="Open a case…" accept={types} onChoose={(file) => change({ file })} />
}

function OpenedButtons({ close }: { close: string }) {
  return (
    <>
      <CaseButton />
      <Button onClick={() => change({ file: undefined })}>{close}</Button>
    </>
  )
}

const TEMPORARY =
  'A replay creates a temporary world, which is deleted when you start over, close the case or leave this view.'
const UNPLAYABLE = 'This case does not contain the initial state of its world. It can be shown, but not replayed.'

/** `id` is the number of the open step. */
function OpenedCase({ file, name, id }: { file: Case; name: string; id: string | undefined }) {
  const { header, steps, ended } = file
  const canPlay = hasBeginning(file)
  const [replay, setReplay] = useState<Replay | undefined>()
  // When the user leaves the view, its world is deleted, even if the world is still being created.
  const isLeft = useRef(false)
  useEffect(
    () => () => {
      isLeft.current = true
    },
    [],
  )
  useEffect(() => () => void replay?.close().catch(() => {}), [replay])
  const act = useAct()
  const position = replay?.position ?? 0
  const runTo = async (to: number): Promise<Replay> => {
    const used = replay && replay.position <= to ? replay : await Replay.begin(file)
    try {
      await used.runTo(to)
    } finally {
      if (isLeft.current) await used.close()
      else setReplay(used)
    }
    return used
  }
  // The buttons are disabled during a replay, because only one replay can run at a time.
  const run = (work: () => Promise<unknown>) => void act.run(work)
  const fork = async (to: number) => location.assign(consoleOf(await (await runTo(to)).fork()))
  const opened = steps.find(({ step }) => String(step) === id)
  const view = useMemo(() => toCaseView(file), [file])
  const differing = [...(replay?.differences.values() ?? [])].filter((each) => each.length > 0).length
  return (
    <Split
      title={`Case ${header.name ?? name}`}
      actions={<OpenedButtons close="Close the case" />}
      opened={
        opened ? (
          <StepEntry key={opened.step} view={view} step={opened} back={linkTo('cases')}>
            {canPlay ? (
              <ReplayedStep
                differences={replay?.differences.get(opened.step)}
                busy={act.busy}
                onRun={() => run(() => runTo(opened.step))}
                onFork={() => run(() => fork(opened.step))}
              />
            ) : null}
          </StepEntry>
        ) : null
      }
    >
      <section class="panel" aria-label="Replay">
        <Facts>
          {[
            ['Begins', `${toSecond(view.about.start)} UTC`],
            ['Recorded by', `vendor-cloud ${header.version}, in the world ${header.world}`],
            ['Ended', ended],
          ]}
        </Facts>
        <p class="hint">{canPlay ? TEMPORARY : UNPLAYABLE}</p>
        <div class="buttons" role="group" aria-label="Replay it" hidden={!canPlay}>
          <Button
            class="primary"
            off={act.busy || position === steps.length}
            onClick={() => run(() => runTo(position + 1))}
          >
            Next step
          </Button>
          <Button off={act.busy || position === steps.length} onClick={() => run(() => runTo(steps.length))}>
            Replay to the end
          </Button>
          <Button off={act.busy || position === 0} onClick={() => setReplay(undefined)}>
            Start over
          </Button>
          <Button off={act.busy} onClick={() => run(() => fork(position))}>
            Fork here
          </Button>
          <span role="status">
            {position} of {count(steps.length, 'step')}{' '}
            {differing > 0 ? <Badge tone="bad">{differing} differ</Badge> : null}
          </span>
        </div>
        <Refusal error={act.error} />
      </section>
      <CaseFrame
        view={view}
        opened={opened?.step}
        hrefOf={hrefOf}
        reached={steps[position - 1]?.step}
        remark={(step) => <Outcome differences={replay?.differences.get(step.step)} />}
      />
    </Split>
  )
}

interface ReplayedStepProps {
  differences: readonly Difference[] | undefined
  busy: boolean
  onRun(): void
  onFork(): void
}

function ReplayedStep({ differences, busy, onRun, onFork }: ReplayedStepProps) {
  return (
    <>
      <div class="buttons">
        <Button off={busy} onClick={onRun}>
          Replay to here
        </Button>
        <Button off={busy} onClick={onFork}>
          Fork after this step
        </Button>
        <Outcome differences={differences} />
      </div>
      {differences && differences.length > 0 ? (
        <Differences title="The replay differs in this step" differences={differences} names={['recorded', 'here']} />
      ) : null}
    </>
  )
}

function Outcome({ differences }: Pick<ReplayedStepProps, 'differences'>) {
  if (!differences) return null
  const differs = differences.length > 0
  return <Badge tone={differs ? 'bad' : 'good'}>{differs ? 'differs' : 'the same'}</Badge>
}

/** Returns undefined if the file is not a report of `vendor-cloud compare`. */
function findComparison(text: string): ComparisonReport | undefined {
  const report = Object(findJson(text)) as Partial<ComparisonReport>
  return report.comparison === 1 ? (report as ComparisonReport) : undefined
}
