import { useEffect } from 'preact/hooks'
import type { CaseStep } from '../../../contract/records/control/case.ts'
import { useClosing } from '../closing.ts'
import { Facts } from '../parts/field.tsx'

const ways: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }

interface Keys {
  steps: readonly CaseStep[]
  opened: number | undefined
  hrefOf(step: number): string
  onHelp(): void
  onSearch(): void
}

/** Keys act unless somebody types. Arrows belong to what scrolls unless a row has the focus, or nothing has. */
export function useCaseKeys({ steps, opened, hrefOf, onHelp, onSearch }: Keys): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target } = event
      const isTyped = target instanceof Element && target.closest('input, textarea, select') !== null
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyped) return
      const row = target instanceof HTMLElement ? target.closest<HTMLElement>('a[data-step]') : null
      const way = Object.hasOwn(ways, key) ? ways[key] : undefined
      if (key === '?') onHelp()
      else if (key === '/') onSearch()
      else if (key === 'Enter' && row?.ariaCurrent) focusHeading()
      else if (way !== undefined && (key.length === 1 || row || target === document.body)) {
        if (opened !== undefined) turnTo(steps, opened, way, hrefOf)
        else focusRow(row, way)
      } else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  useEffect(() => {
    if (opened !== undefined) focusHeading()
  }, [opened])
}

function turnTo(steps: readonly CaseStep[], opened: number, way: number, hrefOf: (step: number) => string): void {
  const at = steps.findIndex(({ step }) => step === opened)
  const next = at < 0 ? steps[0] : steps[at + way]
  if (!next) return
  location.hash = hrefOf(next.step)
  document.querySelector(`a[data-step="${next.step}"]`)?.scrollIntoView({ block: 'nearest' })
}

function focusRow(row: HTMLElement | null, way: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('a[data-step]')]
  rows[row ? rows.indexOf(row) + way : 0]?.focus()
}

/** The focus moves to the opened heading, so that it is read out and Tab leads into it. */
function focusHeading(): void {
  document.querySelector<HTMLElement>('.detail h2')?.focus({ preventScroll: true })
}

export function CaseKeyHelp({ onClose }: { onClose(): void }) {
  const box = useClosing<HTMLElement>(onClose)
  return (
    <section class="panel" aria-label="Keys" ref={box}>
      <Facts>
        {[
          ['j, k', 'next step, previous step; arrows do the same from a row'],
          ['Enter', 'opens a step and goes to its heading'],
          ['Escape', 'closes what is open and goes back to the row'],
          ['/', 'goes to the search'],
          ['?', 'shows and hides these keys'],
        ]}
      </Facts>
    </section>
  )
}
