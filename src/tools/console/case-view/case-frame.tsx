import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { CaseStep } from '#contract/files/case.ts'
import { toCurlScript } from '#tools/cases/view/curl-script.ts'
import { toMermaid } from '#tools/cases/view/mermaid.ts'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/code.tsx'
import { Field } from '../parts/field.tsx'
import { focusHeading, KeyHelp, useKeys } from '../parts/keys.tsx'
import { Empty } from '../parts/state.tsx'
import { count } from '../text.ts'
import { CaseSteps, type StepsProps, whyOf } from './case-steps.tsx'

interface Props extends Omit<StepsProps, 'steps'> {
  actions?: ComponentChildren
}

export function CaseFrame({ actions, ...list }: Props) {
  const { view, hrefOf, opened } = list
  const [search, setSearch] = useState('')
  const [help, setHelp] = useState(false)
  const steps = search === '' ? view.steps : view.steps.filter((step) => holds(step, search))
  const refused = view.steps.find((step) => whyOf(view, step))
  useKeys({
    rows: 'a[data-step]',
    search: '[role=search] input',
    onHelp: () => setHelp((shown) => !shown),
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
        <Button aria-expanded={help} onClick={() => setHelp(!help)}>
          Keys
        </Button>
        <Jump label="First refusal" to={refused?.step} hrefOf={hrefOf} />
        <Jump label="First difference" to={view.other?.step} hrefOf={hrefOf} />
        <CopyButton label="Copy as Mermaid" text={() => toMermaid(view, opened)} />
        <CopyButton label="Copy as curl script" text={() => toCurlScript(view)} />
        {actions}
      </div>
      {help ? <KeyHelp onClose={() => setHelp(false)} /> : null}
      <p class="hint" role="status">
        {search === '' ? '' : `${steps.length} of ${count(view.steps.length, 'step')}`}
      </p>
      {steps.length === 0 ? <Empty title={search === '' ? 'Nothing has happened.' : 'No step fits.'} /> : null}
      {steps.length > 0 ? <CaseSteps {...list} steps={steps} /> : null}
    </>
  )
}

function turnTo(steps: readonly CaseStep[], opened: number, way: number, hrefOf: Props['hrefOf']): true {
  const at = steps.findIndex(({ step }) => step === opened)
  const next = at < 0 ? steps[0] : steps[at + way]
  if (next) {
    location.hash = hrefOf(next.step)
    document.querySelector(`a[data-step="${next.step}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  return true
}

interface JumpProps extends Pick<StepsProps, 'hrefOf'> {
  label: string
  to: number | undefined
}

function Jump({ label, to, hrefOf }: JumpProps) {
  return to === undefined ? null : (
    <a class="button" href={hrefOf(to)}>
      {label}
    </a>
  )
}

function holds(step: CaseStep, search: string): boolean {
  return JSON.stringify(step).toLowerCase().includes(search.toLowerCase())
}
