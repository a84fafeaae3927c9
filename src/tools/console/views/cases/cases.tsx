import { useEffect, useRef, useState } from 'preact/hooks'
import { consoleOf } from '../../address.ts'
import { type Case, readCase } from '../../cases/case-text.ts'
import { Replay } from '../../cases/replay.ts'
import { useAct, useAnswer } from '../../hooks.ts'
import { change, useLive } from '../../live.ts'
import { Button } from '../../parts/button.tsx'
import { Facts, FileButton } from '../../parts/field.tsx'
import { Split } from '../../parts/split.tsx'
import { Badge, Empty, Refusal } from '../../parts/state.tsx'
import { count, toSecond } from '../../text.ts'
import { CaseStepEntry } from './case-step.tsx'
import { CaseSteps } from './case-steps.tsx'
import { Recording } from './recording.tsx'

export function Cases({ id }: { id: string | undefined }) {
  const file = useLive((live) => live.file)
  const about = file && `${file.name} ${file.lastModified} ${file.size}`
  const { data, error } = useAnswer(about, async () => readCase(await file!.text()), { once: true })
  return data && file ? (
    <OpenedCase key={about} file={data} id={id} />
  ) : (
    <Split title="Cases" actions={<CaseButton />}>
      <Refusal error={error} />
      <Recording />
      <Empty title="No case is open.">
        <p>
          Drop a case file on this page, or choose one: its calls, clock moves and frames are replayed step by step.
        </p>
      </Empty>
    </Split>
  )
}

function CaseButton() {
  return <FileButton label="Open a case…" accept=".jsonl,application/jsonl" onChoose={(file) => change({ file })} />
}

/** `id` is the number of the step that is opened. */
function OpenedCase({ file, id }: { file: Case; id: string | undefined }) {
  const { header, steps, ended } = file
  const [replay, setReplay] = useState<Replay | undefined>()
  // Leaving the view ends its world, also one that is only being made.
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
  /** The replay that has made so many steps and no further one. */
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
  const fork = async (to: number) => location.assign(consoleOf(await (await runTo(to)).fork()))
  const opened = steps.find(({ step }) => String(step) === id)
  const differing = [...(replay?.differences.values() ?? [])].filter((each) => each.length > 0).length
  return (
    <Split
      title={header.name ?? 'A case'}
      actions={<CaseButton />}
      opened={
        opened ? (
          <CaseStepEntry
            key={opened.step}
            step={opened}
            differences={replay?.differences.get(opened.step)}
            busy={act.busy}
            onRun={() => void act.run(() => runTo(opened.step))}
            onFork={() => void act.run(() => fork(opened.step))}
          />
        ) : null
      }
    >
      <Recording />
      <section class="panel" aria-label="Replay">
        <Facts>
          {[
            ['Begins', `${toSecond(header.start)} UTC`],
            ['Recorded by', `vendor-cloud ${header.version}, in the world ${header.world}`],
            ['Ended', ended],
          ]}
        </Facts>
        <div class="buttons" role="group" aria-label="Replay it">
          <Button class="primary" act={act} off={position === steps.length} onClick={() => runTo(position + 1)}>
            Next step
          </Button>
          <Button act={act} off={position === steps.length} onClick={() => runTo(steps.length)}>
            To the end
          </Button>
          <Button off={act.busy || position === 0} onClick={() => setReplay(undefined)}>
            Start over
          </Button>
          <Button act={act} onClick={() => fork(position)}>
            Fork here
          </Button>
          <span role="status">
            {position} of {count(steps.length, 'step')}{' '}
            {differing > 0 ? <Badge tone="bad">{differing} differ</Badge> : null}
          </span>
        </div>
        <Refusal error={act.error} />
      </section>
      <CaseSteps steps={steps} replay={replay} openedStep={opened?.step} />
    </Split>
  )
}
