import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface Opened {
  close(): void
  /** A layer that a click beside it, or another view, closes too. */
  box: HTMLElement | null
  outside: boolean
}

/** The open layers, the newest last. */
const opened: Opened[] = []

/**
 * While its component is shown, Escape calls `close`, if anything, the newest first; with `outside`, so does a click
 * beside the box.
 */
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
    // Browsers heed autofocus once in a page.
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
    // The button that opened it stands beside it, and closes it by itself.
    const left = opened.filter(({ outside, box }) => outside && !box?.parentElement?.contains(target as Node))
    for (const { close } of left) close()
  })
  addEventListener('hashchange', () => {
    for (const { close } of opened.filter(({ outside }) => outside)) close()
  })
}

/** The focus goes back to where it was last when what had it is gone: who uses the keyboard never starts over. */
export function keepFocus(): void {
  let trail: HTMLElement[] = []
  addEventListener('focusin', ({ target }) => {
    trail = [...trail.filter((each) => each.isConnected && each !== target), target as HTMLElement].slice(-50)
  })
  new MutationObserver(() => {
    const last = trail.at(-1)
    if (!last || isShown(last) || (document.activeElement ?? document.body) !== document.body) return
    const back = trail.findLast(isShown) ?? document.querySelector('main')
    back?.focus({ preventScroll: true })
  }).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['class'] })
}

function isShown(element: HTMLElement): boolean {
  return element.isConnected && element.getClientRects().length > 0
}
