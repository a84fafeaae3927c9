import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface Opened {
  close(): void
  box: HTMLElement | null
  outside: boolean
}

/** Open layers, in the order in which they were opened. The newest layer closes first. */
const opened: Opened[] = []

/** Escape closes the newest layer. With `outside`, a click outside the box also closes the layer. */
export function useClosing<T extends HTMLElement>(
  close: (() => void) | undefined,
  { outside = false } = {},
): RefObject<T | null> {
  const box = useRef<T>(null)
  const newest = useRef(close)
  newest.current = close
  useLayoutEffect(() => {
    if (!close) return
    const self: Opened = { close: () => newest.current?.(), box: box.current, outside }
    opened.push(self)
    // Browsers apply `autofocus` only once per page.
    box.current?.querySelector<HTMLElement>('[autofocus]')?.focus()
    return () => void opened.splice(opened.indexOf(self), 1)
  }, [close === undefined])
  return box
}

export function listenForClosing(): void {
  addEventListener('keydown', (event) => {
    const top = opened.at(-1)
    if (event.key !== 'Escape' || event.defaultPrevented || !top) return
    event.preventDefault()
    top.close()
  })
  addEventListener('pointerdown', ({ target }) => {
    // The button that opened the box handles clicks on itself.
    const left = opened.filter(({ outside, box }) => outside && !box?.parentElement?.contains(target as Node))
    for (const { close } of left) close()
  })
  addEventListener('hashchange', () => {
    for (const { close } of opened.filter(({ outside }) => outside)) close()
  })
}

/** Keyboard users would otherwise start again at the top of the page if the focused element disappears. */
export function keepFocus(): void {
  let trail: HTMLElement[] = []
  addEventListener('focusin', ({ target }) => {
    trail = [...trail.filter((each) => each.isConnected && each !== target), target as HTMLElement].slice(-50)
  })
  new MutationObserver(() => {
    const last = trail.at(-1)
    if (!last || isDisplayed(last) || (document.activeElement ?? document.body) !== document.body) return
    const back = trail.findLast(isDisplayed) ?? document.querySelector('main')
    back?.focus({ preventScroll: true })
  }).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['class'] })
}

function isDisplayed(element: HTMLElement): boolean {
  return element.isConnected && element.getClientRects().length > 0
}
