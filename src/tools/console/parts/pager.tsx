import { useEffect, useState } from 'preact/hooks'
import { Button } from './button.tsx'

export interface Paged<T> {
  shown: readonly T[]
  offset: number
  total: number
  size: number
  move(offset: number): void
}

export function usePages<T>(items: readonly T[], size: number): Paged<T> {
  const [asked, move] = useState(0)
  const offset = asked < items.length ? asked : 0
  return { shown: items.slice(offset, offset + size), offset, total: items.length, size, move }
}

/** Nothing is drawn when the whole list is shown. */
export function Pager({ offset, total, size, move }: Omit<Paged<unknown>, 'shown'>) {
  useEffect(() => {
    // The entries of the last page may disappear.
    if (total > 0 && offset >= total) move(Math.floor((total - 1) / size) * size)
  }, [offset, total])
  if (total <= size) return null
  return (
    <div class="pager" role="group" aria-label="Pages">
      <Button off={offset === 0} onClick={() => move(Math.max(0, offset - size))}>
        Previous
      </Button>
      <span>
        {offset + 1} to {Math.min(offset + size, total)} of {total.toLocaleString('en-US')}
      </span>
      <Button off={offset + size >= total} onClick={() => move(offset + size)}>
        Next
      </Button>
    </div>
  )
}
