import { useEffect, useState } from 'preact/hooks'
import type { CaseStep } from '#contract/files/case.ts'
import { toCurlScript } from '#tools/cases/view/curl-script.ts'
import { toMermaid } from '#tools/cases/view/mermaid.ts'
import { CopyButton } from '../parts/code.tsx'
import { Field } from '../parts/form.tsx'
import { focusHeading, useKeys } from '../parts/keys.tsx'
import { Empty } from '../parts/basics.tsx'
import { count, holds } from '../text.ts'
import { CaseSteps, type StepsProps, whyOf } from './case-steps.tsx'

export function CaseFrame(list: Omit<StepsProps, 'steps'>) {
  const { view, hrefOf, opened } = list
  const [search, setSearch] = useState('')
  const steps = search === '' ? view.steps : view.steps.filter((step) => holds(JSON.stringify(step), search))
  const refused = view.steps.find((step) => whyOf(view, step))
  const { keysButton, keyHelp } = useKeys({
    rows: 'a[data-step]',
    search: '[role=search] input',
    onEnter: (row) => row.ariaCurrent && focusHeading(),
    onMove: (way) => opened !== undefined && turnTo(steps, opened, way, hrefOf),
  })
  useEffect(() => {
    if (opened !== undefined) focusHeading()
  }, [opened])
  return (
    <>
      <div class="row" role="search">
        <Field label="Search" grow value={search} onInput={setSearch} placeholder="paths, headers, bodies" />
        {keysButton}
        <Jump label="First rejected step" to={refused?.step} hrefOf={hrefOf} />
        <Jump label="First difference" to={view.other?.step} hrefOf={hrefOf} />
        <CopyButton label="Copy as Mermaid" text={() => toMermaid(view, opened)} />
        <CopyButton label="Copy as curl script" text={() => toCurlScript(view)} />
      </div>
      {keyHelp}
      <p class="hint" role="status">
        {search === '' ? '' : `${steps.length} of ${count(view.steps.length, 'step')}`}
      </p>
      {steps.length > 0 ? (
        <CaseSteps {...list} steps={steps} />
      ) : (
        <Empty title={search === '' ? 'There are no steps.' : 'No step matches.'} />
      )}
    </>
  )
}

function turnTo(steps: readonly CaseStep[], opened: number, way: number, hrefOf: StepsProps['hrefOf']): true {
  const at = steps.findIndex(({ step }) => step === opened)
  const next = at < 0 ? steps[0] : steps[at + way]
  if (next) {
    location.hash = hrefOf(next.step)
    document.querySelector(`a[data-step="${next.step}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  return true
}

function Jump({ label, to, hrefOf }: Pick<StepsProps, 'hrefOf'> & { label: string; to: number | undefined }) {
  return to === undefined ? null : (
    <a class="button" href={hrefOf(to)}>
      {label}
    </a>
  )
}
