import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { useClosing } from '../../closing.ts'
import { Facts } from '../../parts/field.tsx'

const steps: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }

interface Keys {
  /** The next opened entry gets the focus only when a key opened it. */
  byKey: RefObject<boolean>
  onHelp(): void
}

/** Keys act unless somebody types; arrows belong to what scrolls unless a row has the focus. */
export function useRequestKeys({ byKey, onHelp }: Keys): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target } = event
      const isTyped = target instanceof Element && target.closest('input, textarea, select') !== null
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyped) return
      const rows = [...document.querySelectorAll<HTMLElement>('main [aria-label=Journal] a')]
      const row = rows.indexOf(target as HTMLElement)
      const step = steps[key]
      if (key === '?') onHelp()
      else if (key === '/') document.querySelector<HTMLElement>('main .list-side input')?.focus()
      else if (key === 'Enter' && row >= 0) {
        byKey.current = true
        if (!rows[row]?.ariaCurrent) return
        focusEntry(byKey)
      } else if (step !== undefined && (key.length === 1 || row >= 0)) {
        rows[(row >= 0 ? row : rows.findIndex(({ ariaCurrent }) => ariaCurrent)) + step]?.focus()
      } else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [onHelp])
}

/** The focus moves to the opened heading only when a key opened it. */
export function focusEntry(byKey: RefObject<boolean>): void {
  if (!byKey.current) return
  byKey.current = false
  document.querySelector<HTMLElement>('.detail h2')?.focus({ preventScroll: true })
}

export function KeyHelp({ onClose }: { onClose(): void }) {
  const box = useClosing<HTMLElement>(onClose)
  return (
    <section class="panel" aria-label="Keys" ref={box}>
      <Facts>
        {[
          ['j, k', 'next row, previous row; arrows do the same from a row'],
          ['Enter', 'opens a row and goes to its heading'],
          ['Escape', 'closes what is open and goes back to the row'],
          ['/', 'goes to the search'],
          ['?', 'shows and hides these keys'],
        ]}
      </Facts>
    </section>
  )
}
