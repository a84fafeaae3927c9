import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useClosing } from '../closing.ts'
import type { Loaded } from '../live.ts'
import { Empty, Known } from './basics.tsx'

interface SplitProps {
  title: string
  actions?: ComponentChildren
  children: ComponentChildren
  /** In a narrow window, the opened record replaces the list. */
  opened?: ComponentChildren
  wide?: boolean
}

export function Split({ title, actions, children, opened, wide }: SplitProps) {
  return (
    <section class={`split ${opened ? 'opened' : ''} ${wide ? 'wide' : ''}`}>
      <div class="title-row">
        <h1>{title}</h1>
        {actions ? <div class="buttons">{actions}</div> : null}
      </div>
      <div class="list-side">{children}</div>
      {opened}
    </section>
  )
}

interface DetailProps {
  label: string
  back: string
  children: ComponentChildren
}

export function Detail({ label, back, children }: DetailProps) {
  const box = useClosing<HTMLElement>(() => {
    location.hash = back
  })
  useEffect(() => {
    // In a narrow window, the detail covers the clicked row, so the detail gets the focus.
    if (matchMedia('(max-width: 1000px)').matches) box.current?.focus()
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <article class="detail" aria-label={label} tabIndex={-1} ref={box}>
      <a class="close" href={back}>
        Close
      </a>
      {children}
    </article>
  )
}

interface OpenedProps<T> extends Omit<DetailProps, 'children'> {
  of: Loaded<T>
  gone: string
  children(data: T): ComponentChildren
}

export function Opened<T>({ of, gone, children, ...detail }: OpenedProps<T>) {
  return (
    <Detail {...detail}>{of.error?.status === 404 ? <Empty title={gone} /> : <Known of={of}>{children}</Known>}</Detail>
  )
}
