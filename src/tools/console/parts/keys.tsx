import { useEffect, useState } from 'preact/hooks'
import { useClosing } from '../closing.ts'
import { Button } from './basics.tsx'
import { Facts } from './form.tsx'

const ways: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }

interface Keys {
  /** CSS selector of the rows. If undefined, all keys are ignored. */
  rows: string | undefined
  search: string
  /** Called with the focused row. If that row is not open yet, its link then opens the row. */
  onEnter?: ((row: HTMLElement) => void) | undefined
  /** Returns whether the selection has moved. If not, the focus moves to the next row. */
  onMove?(way: number): boolean
}

/**
 * Keys are ignored while the user types. If a row is open, moving to another row opens that row. Arrow keys scroll the
 * page unless a row has the focus.
 */
export function useKeys({ rows: selector, search, onEnter, onMove }: Keys) {
  const [isDisplayed, setShown] = useState(false)
  const toggle = () => setShown((known) => !known)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target } = event
      if (selector === undefined) return
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      const rows = [...document.querySelectorAll<HTMLElement>(selector)]
      if (key === 'Escape' && target instanceof HTMLInputElement && target.matches(search)) leave(target, rows)
      if (target instanceof Element && target.closest('input, textarea, select')) return
      const at = rows.indexOf(target as HTMLElement)
      const row = rows[at]
      const way = Object.hasOwn(ways, key) ? ways[key] : undefined
      const isFree = onMove !== undefined && target === document.body
      if (key === '?') toggle()
      else if (key === '/') document.querySelector<HTMLElement>(search)?.focus()
      else if (key === 'Enter' && row) {
        onEnter?.(row)
        if (!row.ariaCurrent) return
      } else if (way !== undefined && (key.length === 1 || row || isFree)) {
        const from = row ? at : rows.findIndex(({ ariaCurrent }) => ariaCurrent)
        if (!onMove?.(way)) {
          const next = rows[from < 0 ? 0 : from + way]
          next?.focus()
          if (rows.some(({ ariaCurrent }) => ariaCurrent)) next?.click()
        }
      } else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  return {
    keysButton: (
      <Button class="keys" aria-expanded={isDisplayed} onClick={toggle}>
        Keys
      </Button>
    ),
    keyHelp: isDisplayed ? <KeyHelp onClose={toggle} /> : null,
  }
}

function leave(field: HTMLInputElement, rows: readonly HTMLElement[]): void {
  if (field.value === '') {
    field.blur()
    ;(rows.find(({ ariaCurrent }) => ariaCurrent) ?? rows[0])?.focus()
  } else {
    field.value = ''
    field.dispatchEvent(new Event('input'))
  }
}

/** The focus moves to the opened heading, so that screen readers announce it and Tab continues inside the detail. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('.detail h2')?.focus({ preventScroll: true })
}

function KeyHelp({ onClose }: { onClose(): void }) {
  const box = useClosing<HTMLElement>(onClose)
  return (
    <section class="panel" aria-label="Keys" ref={box}>
      <Facts>
        {[
          ['j, k', 'move to the next or previous row. The arrow keys do the same when a row has the focus'],
          ['Enter', 'opens a row and moves the focus to its heading'],
          [
            'Escape',
            'closes the opened row and moves the focus back to it. In the search field, clears the text, then leaves',
          ],
          ['/', 'moves the focus to the search field'],
          ['?', 'shows or hides this list of keys'],
        ]}
      </Facts>
    </section>
  )
}
