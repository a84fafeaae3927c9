import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { CaseStep } from '../../../contract/records/control/case.ts'
import { toCurlScript } from '../../cases/view/curl-script.ts'
import { toMermaid } from '../../cases/view/mermaid.ts'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/code.tsx'
import { Field } from '../parts/field.tsx'
import { Empty } from '../parts/state.tsx'
import { count } from '../text.ts'
import { CaseKeyHelp, useCaseKeys } from './case-keys.tsx'
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
  useCaseKeys({
    steps,
    opened,
    hrefOf,
    onHelp: () => setHelp((shown) => !shown),
    onSearch: () => document.querySelector<HTMLElement>('[role=search] input')?.focus(),
  })
  return (
    <>
      <div class="row" role="search">
        <Field label="Search" grow value={search} onInput={setSearch} placeholder="paths, headers, bodies" />
        <Button aria-expanded={help} onClick={() => setHelp(!help)}>
          Keys
        </Button>
        <Jump label="First refusal" to={refused?.step} hrefOf={hrefOf} />
        <Jump label="First difference" to={view.other?.step} hrefOf={hrefOf} />
        <CopyOf label="Mermaid" write={() => toMermaid(view, opened)} />
        <CopyOf label="curl script" write={() => toCurlScript(view)} />
        {actions}
      </div>
      {help ? <CaseKeyHelp onClose={() => setHelp(false)} /> : null}
      <p class="hint" role="status">
        {search === '' ? '' : `${steps.length} of ${count(view.steps.length, 'step')}`}
      </p>
      {steps.length === 0 ? <Empty title={search === '' ? 'Nothing has happened.' : 'No step fits.'} /> : null}
      {steps.length > 0 ? <CaseSteps {...list} steps={steps} /> : null}
    </>
  )
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

/** A case may be long, so its text is made only when somebody copies it. */
function CopyOf({ label, write }: { label: string; write(): string }) {
  return <CopyButton text={write} label={`Copy as ${label}`} />
}

function holds(step: CaseStep, search: string): boolean {
  return JSON.stringify(step).toLowerCase().includes(search.toLowerCase())
}
