import { useEffect, useState } from 'preact/hooks'
import { useClosing } from '../closing.ts'
import { Button } from './basics.tsx'
import { Facts } from './form.tsx'

const ways: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }

interface Keys {
  /** Selects the rows; absent, no key acts. */
  rows: string | undefined
  search: string
  /** Gets the focused row; a row that is not open yet opens by itself. */
  onEnter?: ((row: HTMLElement) => void) | undefined
  /** Returns whether it has moved; otherwise the focus moves to the next row. */
  onMove?(way: number): boolean
}

/** Keys act unless somebody types. Arrows belong to what scrolls unless a row has the focus. */
export function useKeys({ rows: selector, search, onEnter, onMove }: Keys) {
  const [isDisplayed, setShown] = useState(false)
  const toggle = () => setShown((known) => !known)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target } = event
      if (selector === undefined) return
      const isTyped = target instanceof Element && target.closest('input, textarea, select') !== null
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyped) return
      const rows = [...document.querySelectorAll<HTMLElement>(selector)]
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
        if (!onMove?.(way)) rows[from < 0 ? 0 : from + way]?.focus()
      } else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  return {
    keysButton: (
      <Button aria-expanded={isDisplayed} onClick={toggle}>
        Keys
      </Button>
    ),
    keyHelp: isDisplayed ? <KeyHelp onClose={toggle} /> : null,
  }
}

/** The focus moves to the opened heading, so that it is read out and Tab leads into it. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('.detail h2')?.focus({ preventScroll: true })
}

function KeyHelp({ onClose }: { onClose(): void }) {
  const box = useClosing<HTMLElement>(onClose)
  return (
    <section class="panel" aria-label="Keys" ref={box}>
      <Facts>
        {[
          ['j, k', 'next, previous; arrows do the same from a row'],
          ['Enter', 'opens a row and goes to its heading'],
          ['Escape', 'closes what is open and goes back to the row'],
          ['/', 'goes to the search'],
          ['?', 'shows and hides these keys'],
        ]}
      </Facts>
    </section>
  )
}
