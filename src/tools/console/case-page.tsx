import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import type { CaseView } from '../cases/view/case-view.ts'
import { toLinePart } from '../client/printable.ts'
import { CaseFrame } from './case-view/case-frame.tsx'
import { StepEntry } from './case-view/step-entry.tsx'
import { keepFocus, listenForClosing } from './closing.ts'
import { Brand } from './parts/basics.tsx'
import { Facts } from './parts/form.tsx'
import { Split } from './parts/split.tsx'
import { useRoute } from './route.ts'
import { count, toSecond } from './text.ts'

/** The URL contains the number of the open step, so that users can link to it. */
const hrefOf = (step: number) => `#/${step}`
const CLOSED = '#/'

function CasePage({ view }: { view: CaseView }) {
  const opened = Number(/^\d{1,9}$/.exec(useRoute().view)?.[0]) || undefined
  const step = view.steps.find((each) => each.step === opened)
  const { name, version, world, start, profile, ended, notes } = view.about
  const title = toLinePart(name ?? `Recording of ${world}`)
  useEffect(() => {
    document.title = `${title}: vendor-cloud`
  }, [title])
  return (
    <>
      <header>
        <span class="brand">
          <Brand />
        </span>
      </header>
      <main tabIndex={-1}>
        <Split title={title} opened={step ? <StepEntry key={opened} view={view} step={step} back={CLOSED} /> : null}>
          <section class="panel" aria-label="About">
            <Facts>
              {[
                ['Begins', `${toSecond(start)} UTC`],
                ['Recorded by', toLinePart(`vendor-cloud ${version}, in the world ${world}`)],
                ['Profile', profile && toLinePart(profile)],
                ['Steps', count(view.steps.length, 'step')],
                ['Ended', ended && toLinePart(ended)],
                ['Compared', view.other && describeOther(view.other)],
              ]}
            </Facts>
            {notes.map((note) => (
              <p key={note}>{toLinePart(note)}</p>
            ))}
          </section>
          <CaseFrame view={view} opened={opened} hrefOf={hrefOf} />
        </Split>
      </main>
    </>
  )
}

function describeOther({ name, step }: NonNullable<CaseView['other']>): string {
  return toLinePart(step === undefined ? `${name} is the same` : `${name} differs first in step ${step}`)
}

const data = JSON.parse(document.getElementById('data')?.textContent ?? '') as CaseView & { opened?: number }
if (data.opened !== undefined && location.hash === '') history.replaceState(null, '', hrefOf(data.opened))
listenForClosing()
keepFocus()
const root = document.getElementById('case')
if (root) render(<CasePage view={data} />, root)
